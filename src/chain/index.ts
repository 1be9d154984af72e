export { type ChainClient, type ChainClientOptions, createChainClient } from './chain-client.ts'
export { connectDevNode, type DevNode } from './dev-node.ts'
export { TRANSFER_TOPIC } from './erc20.ts'
export { ChainError, type ChainErrorCode } from './errors.ts'
export { recoverSender } from './proof/sender.ts'
export { createSanctionsOracle } from './sanctions-oracle.ts'
export { blockMatters, outcomesOf, transfersIn } from './scan-block.ts'
export { createSignatureVerifier } from './signatures.ts'
export { createStateReader, type StateReader } from './state-reader.ts'
export {
  type Block,
  type ChainTransaction,
  type ClaimOutcome,
  type Hash,
  type Header,
  type Heads,
  type Log,
  NATIVE_POSITION,
  type Payment,
  type Proof,
  type Receipt,
  type TransactionPlace,
  type Transfer,
  type WatchList,
} from './types.ts'
