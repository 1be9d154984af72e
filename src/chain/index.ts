export { networkOf } from '../kernel/networks.ts'
export { slotAt } from '../verifier/consensus/index.ts'
export { type AccountState, EMPTY_CODE_HASH } from '../verifier/trie.ts'
export {
  type CommitteeFeed,
  createCommitteeFeeds,
  networkOfCommittee,
} from './beacon/committee-feeds.ts'
export { type BeaconFeed, createBeaconFeed } from './beacon/feed.ts'
export { followFeed, type Verified } from './beacon/follow-feed.ts'
export { locateTransactions } from './blocks/transaction-lookup.ts'
export { createChainClient } from './chain-client.ts'
export type { BlockEvidence, ChainClient } from './client-interface.ts'
export { connectDevNode, type DevNode } from './dev-node.ts'
export { ChainError, type ChainErrorCode } from './errors.ts'
export { mayPayOut, outflowsIn } from './payments/account-flows.ts'
export { type BlockRange, findActiveBlocks } from './payments/active-blocks.ts'
export { mayHoldEscrowEvent, mayHoldTransfer } from './payments/bloom.ts'
export { escrowEventsIn } from './payments/escrow-events.ts'
export {
  findInternalPayments,
  type InternalFinding,
  type InternalSource,
  sumOf,
  tracesOf,
} from './payments/find-internal-payments.ts'
export { leadsIn, tracedOutflow } from './payments/internal-payments.ts'
export { nonceUser } from './payments/nonce-user.ts'
export { isRelevantBlock, outcomesOf, transfersIn } from './payments/scan-block.ts'
export { readPriceFeeds } from './prices/price-feed.ts'
export { createJsonServer } from './rpc/json-server.ts'
export { traceKey } from './state/call-trace.ts'
export { createContractReader } from './state/contract-reader.ts'
export { rememberStates } from './state/remember-states.ts'
export { createSanctionsOracle } from './state/sanctions-oracle.ts'
export { createStateReader, type StateReader } from './state/state-reader.ts'
export { createSignatureVerifier } from './state/verify-signature.ts'
export type {
  Block,
  CallFrame,
  ChainTransaction,
  Claims,
  Hash,
  Header,
  Heads,
  Receipt,
  TransactionLocation,
  Transfer,
  WatchList,
} from './types.ts'
