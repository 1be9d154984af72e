import validatorArtifact from './SignatureValidator.json' with { type: 'json' }
import aggregatorArtifact from './TestAggregator.json' with { type: 'json' }
import sanctionsArtifact from './TestSanctions.json' with { type: 'json' }
import artifact from './TestToken.json' with { type: 'json' }
import walletArtifact from './TestWallet.json' with { type: 'json' }
import factoryArtifact from './TestWalletFactory.json' with { type: 'json' }

export type Hex = `0x${string}`

/** JSON modules type every text as `string`; the build writes these two with their 0x. */
const asHex = (text: string): Hex => text as Hex

/** The ERC-20 token of development chains: `mint(address,uint256)` is open to anybody. */
export const testToken = {
  name: 'Test USD Coin',
  symbol: 'USDC',
  decimals: 6,
  abi: artifact.abi,
  /** The data of the transaction that deploys it; it takes no arguments. */
  bytecode: asHex(artifact.bytecode),
  /** The code at its address once it is deployed. */
  deployedBytecode: asHex(artifact.deployedBytecode),
} as const

/**
 * What an `eth_call` without a recipient runs to ask a wallet about a signature: the creation code,
 * followed by the ABI encoding of `constructorTypes`. It returns one byte.
 */
export const signatureValidator = {
  bytecode: asHex(validatorArtifact.bytecode),
  constructorTypes: ['address', 'bytes32', 'bytes', 'address', 'bytes'],
} as const

/** Contracts that tests deploy. */
export const testWallet = {
  abi: walletArtifact.abi,
  bytecode: asHex(walletArtifact.bytecode),
  constructorTypes: ['address[]', 'uint256'],
} as const
export const testWalletFactory = {
  abi: factoryArtifact.abi,
  bytecode: asHex(factoryArtifact.bytecode),
} as const
export const testSanctions = {
  abi: sanctionsArtifact.abi,
  bytecode: asHex(sanctionsArtifact.bytecode),
} as const

export const testAggregator = {
  abi: aggregatorArtifact.abi,
  bytecode: asHex(aggregatorArtifact.bytecode),
  constructorTypes: ['string', 'uint8'],
} as const

/** Function selectors (Solidity ABI, "Function Selector"), for callers without an ABI library. */
export const selectors = {
  mint: '0x40c10f19',
  transfer: '0xa9059cbb',
  balanceOf: '0x70a08231',
  isSanctioned: '0xdf592f7d',
  latestRoundData: '0xfeaf968c',
  getRoundData: '0x9a6fc8f5',
  decimals: '0x313ce567',
  description: '0x7284e416',
} as const satisfies Record<string, Hex>

/**
 * The call data of a function that takes `(address, uint256)`.
 *
 * @param address 0x and 20 bytes in hex, any case
 * @param amount at least 0, below 2^256
 * @throws RangeError for anything else
 */
export const encodeAddressAmount = (selector: Hex, address: string, amount: bigint): Hex => {
  if (amount < 0n || amount >= 2n ** 256n) throw new RangeError('The amount is not a uint256.')
  return `${encodeAddress(selector, address)}${amount.toString(16).padStart(64, '0')}`
}

/** The call data of a function that takes `(address)`. Throws RangeError for another form. */
export const encodeAddress = (selector: Hex, address: string): Hex => {
  if (!/^0x[0-9a-fA-F]{40}$/.test(address)) throw new RangeError('The address has not 20 bytes.')
  return `${selector}${address.slice(2).toLowerCase().padStart(64, '0')}`
}

/** Chainlink's AggregatorV3Interface: what price feeds and sequencer feeds answer. */
export const aggregatorV3Abi = [
  'function decimals() view returns (uint8)',
  'function description() view returns (string)',
  'function version() view returns (uint256)',
  'function latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)',
  'function getRoundData(uint80 roundId) view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)',
] as const

/** EIP-20, "Token": what any conforming token offers. */
export const erc20Abi = [
  'function name() view returns (string)',
  'function symbol() view returns (string)',
  'function decimals() view returns (uint8)',
  'function totalSupply() view returns (uint256)',
  'function balanceOf(address account) view returns (uint256)',
  'function transfer(address to, uint256 value) returns (bool)',
  'function transferFrom(address from, address to, uint256 value) returns (bool)',
  'function approve(address spender, uint256 value) returns (bool)',
  'function allowance(address owner, address spender) view returns (uint256)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event Approval(address indexed owner, address indexed spender, uint256 value)',
] as const
