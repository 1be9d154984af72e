import validatorArtifact from './SignatureValidator.json' with { type: 'json' }
import artifact from './TestToken.json' with { type: 'json' }
import probeArtifact from './WalletProbe.json' with { type: 'json' }

export { escrow, escrowCode, escrowCreationCode, escrowFactory } from './escrow/index.ts'

export type Hex = `0x${string}`

/** Casts bytecode from JSON modules, whose texts have the type `string`. It begins with 0x. */
const asHex = (text: string): Hex => text as Hex

/** The ERC-20 token of development chains. Every account may call `mint(address,uint256)`. */
export const testToken = {
  name: 'Test USD Coin',
  symbol: 'USDC',
  /** The version in the EIP-712 domain of ERC-3009. The domain's name is `name`. */
  version: '1',
  decimals: 6,
  abi: artifact.abi,
  /** The data of the transaction that deploys the token. The constructor has no arguments. */
  bytecode: asHex(artifact.bytecode),
  /** The code at the address of the token after the deployment. */
  deployedBytecode: asHex(artifact.deployedBytecode),
} as const

/**
 * Code that asks a wallet about a signature, run by an `eth_call` without a recipient. The call
 * data is `bytecode` and then the ABI encoding of `constructorTypes`. The call returns one byte.
 */
export const signatureValidator = {
  bytecode: asHex(validatorArtifact.bytecode),
  constructorTypes: ['address', 'bytes32', 'bytes', 'address', 'bytes'],
} as const

/**
 * Code that asks whether an account is a wallet, run by an `eth_call` without a recipient. The call
 * data is `bytecode` and then the address as a word. The call returns one byte: 1 for a wallet.
 */
export const walletProbe = { bytecode: asHex(probeArtifact.bytecode) } as const

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
 * @throws RangeError if `address` or `amount` is anything else
 */
export const encodeAddressAmount = (selector: Hex, address: string, amount: bigint): Hex => {
  if (amount < 0n || amount >= 2n ** 256n) throw new RangeError('The amount is not a uint256.')
  return `${encodeAddress(selector, address)}${amount.toString(16).padStart(64, '0')}`
}

/** The call data of a function that takes `(address)`. Throws RangeError for an invalid address. */
export const encodeAddress = (selector: Hex, address: string): Hex => {
  if (!/^0x[0-9a-fA-F]{40}$/.test(address)) throw new RangeError('The address has not 20 bytes.')
  return `${selector}${address.slice(2).toLowerCase().padStart(64, '0')}`
}
