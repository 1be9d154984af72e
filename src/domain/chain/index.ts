export {
  advanceFinality,
  type FinalityVerdict,
  haltChain,
} from './advance-finality.ts'
export { applyBlocks, applyLookups, applyReplacements } from './apply-blocks.ts'
export { type ChainProgress, noteProgress, readProgress } from './chain-progress.ts'
export {
  type BlockRef,
  type ChainState,
  clearWrongSettings,
  knownHashes,
  lockChainRow,
  noteProblem,
  noteWrongSettings,
  oldestKnown,
  openChain,
  readChain,
  readNodeFaults,
  releaseLeases,
  takeLease,
} from './chain-state.ts'
export { pruneBlocks } from './prune-blocks.ts'
export { type Observed, type ObservedTransfer, recordTransfers } from './record-transfers.ts'
export { revertBlocks } from './revert-blocks.ts'
export { matchLateDonations, settleBatch } from './settle-chain.ts'
export { listClaimedHashes, listWatchedAccounts } from './watch-accounts.ts'
