import account from './TestAccount.json' with { type: 'json' }
import aggregator from './TestAggregator.json' with { type: 'json' }
import entryPointV06 from './TestEntryPointV06.json' with { type: 'json' }
import entryPointV07 from './TestEntryPointV07.json' with { type: 'json' }
import falseToken from './TestFalseToken.json' with { type: 'json' }
import feeToken from './TestFeeToken.json' with { type: 'json' }
import multicall from './TestMulticall.json' with { type: 'json' }
import nativeLog from './TestNativeLog.json' with { type: 'json' }
import nft from './TestNft.json' with { type: 'json' }
import router from './TestRouter.json' with { type: 'json' }
import safe from './TestSafe.json' with { type: 'json' }
import sanctions from './TestSanctions.json' with { type: 'json' }
import token from './TestToken.json' with { type: 'json' }
import wallet from './TestWallet.json' with { type: 'json' }
import walletFactory from './TestWalletFactory.json' with { type: 'json' }
import wrapped from './TestWrapped.json' with { type: 'json' }

/** Contracts that tests of transfers deploy: ABI, creation code and deployed code. */
export const testContracts = {
  account,
  entryPointV06,
  entryPointV07,
  falseToken,
  feeToken,
  multicall,
  nativeLog,
  nft,
  router,
  safe,
  token,
  wrapped,
} as const

export type TestContractName = keyof typeof testContracts

export const testWallet = {
  abi: wallet.abi,
  bytecode: wallet.bytecode,
  constructorTypes: ['address[]', 'uint256'],
} as const
export const testWalletFactory = {
  abi: walletFactory.abi,
  bytecode: walletFactory.bytecode,
} as const
export const testSanctions = {
  abi: sanctions.abi,
  bytecode: sanctions.bytecode,
} as const

export const testAggregator = {
  abi: aggregator.abi,
  bytecode: aggregator.bytecode,
  constructorTypes: ['string', 'uint8'],
} as const

/** Chainlink's AggregatorV3Interface, which price feeds and sequencer feeds have. */
export const aggregatorV3Abi = [
  'function decimals() view returns (uint8)',
  'function description() view returns (string)',
  'function version() view returns (uint256)',
  'function latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)',
  'function getRoundData(uint80 roundId) view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)',
] as const
