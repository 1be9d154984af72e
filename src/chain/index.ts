export { type AccountState, EMPTY_CODE_HASH } from '../verifier/trie.ts'
export { mayPayOut, type Outflow, outflowsIn } from './account-flows.ts'
export { mayHoldTransfer } from './bloom.ts'
export { type CallFrame, paidOutIn, paymentsIn, readCallTrace, traceKey } from './call-trace.ts'
export { type ChainClient, type ChainClientOptions, createChainClient } from './chain-client.ts'
export { connectDevNode, type DevNode } from './dev-node.ts'
export type { BlockEvidence, EvidenceRequest } from './donor-evidence.ts'
export { TRANSFER_TOPIC } from './erc20.ts'
export { ChainError, type ChainErrorCode } from './errors.ts'
export {
  attributeRise,
  type Change,
  isCodeless,
  type Leads,
  leadsIn,
  netRiseByCalls,
  tellsOfPayment,
  tracedOutflow,
  tracedPayments,
} from './internal-payments.ts'
export { keepNet, type Received } from './keep-net.ts'
export { type Network, networkOf } from './networks.ts'
export { nonceUser } from './nonce-user.ts'
export { type PriceAnswers, readPriceFeeds } from './price-feed.ts'
export { recoverSender } from './proof/sender.ts'
export type { NodeFault, NodeState, NodeStatus } from './rpc/node-health.ts'
export { createSanctionsOracle } from './sanctions-oracle.ts'
export { blockMatters, outcomesOf, transfersIn } from './scan-block.ts'
export { createSignatureVerifier } from './signatures.ts'
export { proveAccount } from './state-proof.ts'
export { createStateReader, type StateReader } from './state-reader.ts'
export type {
  Block,
  ChainTransaction,
  ClaimOutcome,
  Claims,
  Hash,
  Header,
  Heads,
  Log,
  Payment,
  PooledTransaction,
  Proof,
  Receipt,
  TransactionPlace,
  Transfer,
  WatchList,
} from './types.ts'
