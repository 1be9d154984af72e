export { advanceFinality, type Finality, type FinalityVerdict } from './advance-finality.ts'
export { type ApplyBlocks, applyBlocks, type NewBlock } from './apply-blocks.ts'
export { applyLookups } from './apply-lookups.ts'
export { applyReplacements } from './apply-replacements.ts'
export { type ChainProgress, noteProgress, readProgress } from './chain-progress.ts'
export {
  type BlockRef,
  type ChainState,
  knownHashes,
  lockChain,
  noteProblem,
  oldestKnown,
  openChain,
  readChain,
  releaseLeases,
  takeLease,
} from './chain-state.ts'
export { pruneBlocks } from './prune-blocks.ts'
export {
  recordSightings,
  type SeenTransaction,
  type SeenTransfer,
  type Sightings,
} from './record-sightings.ts'
export { matchLateDonations, settleBatch } from './settle-chain.ts'
export { type UndoBlocks, undoBlocks } from './undo-blocks.ts'
export { listClaimedHashes, listWatchedAccounts } from './watch-accounts.ts'
