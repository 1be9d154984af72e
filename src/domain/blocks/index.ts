/** What a block of a chain changes: transfers are matched, donations settled, escrows followed. */

export { advanceFinality, type FinalityVerdict, haltChain } from './chain/advance-finality.ts'
export { applyBlocks, applyLookups, applyReplacements } from './chain/apply-blocks.ts'
export { type ChainProgress, noteProgress, readProgress } from './chain/chain-progress.ts'
export {
  clearWrongSettings,
  knownHash,
  knownHashes,
  noteProblem,
  noteWrongSettings,
  oldestKnown,
  openChain,
  pruneBlocks,
  readChain,
  readNodeFaults,
  releaseLeases,
  takeLease,
} from './chain/chain-state.ts'
export type { Observed, ObservedTransfer } from './chain/record-transfers.ts'
export { revertBlocks } from './chain/revert-blocks.ts'
export { matchLateDonations, settleBatch } from './chain/settle-chain.ts'
export { listClaimedHashes, listWatchedAccounts } from './chain/watch-accounts.ts'
export {
  compareWithCommittee,
  deleteProofsAbove,
  isProvenAbove,
  keepMessage,
  lacksBootstrap,
  newestProven,
  noteClaimed,
  provenFrom,
  readStore,
} from './committee/archive.ts'
export { readArchive } from './committee/read-archive.ts'
export {
  listUnprovenEscrows,
  noteCodeProven,
  type UnprovenEscrow,
} from './follow-escrow/prove-code.ts'
export type { ObservedEscrowEvent } from './follow-escrow/record-events.ts'
export {
  clampChecks,
  type DueDonation,
  isAnythingDue,
  listDueDonations,
  noteLostNonce,
  noteUnanswered,
  noteUnseen,
  postponeChecks,
} from './match/look-ups.ts'
export { noteSigners } from './match/replace-transaction.ts'
export {
  type HeldBalance,
  listWatchedBalances,
  type NativeBalance,
  saveBalances,
  type WatchedBalance,
} from './reconciliation/account-balances.ts'
export { acknowledgeDifference, checkAcknowledgements } from './reconciliation/acknowledge.ts'
export { balanceKey, type CommittedWindow, commitWindow } from './reconciliation/commit-window.ts'
export { compareBooks } from './reconciliation/compare-books.ts'
export { compareTransfers } from './reconciliation/compare-transfers.ts'
export {
  balanceDifference,
  DIFFERENCE_KINDS,
  type FoundDifference,
} from './reconciliation/difference.ts'
export { type CampaignReport, getReport } from './reconciliation/get-report.ts'
export { type DifferenceView, listDifferences } from './reconciliation/list-differences.ts'
export {
  countOpenDifferences,
  listHoldings,
  listNativeBlocks,
  listOpenBlocks,
} from './reconciliation/list-holdings.ts'
export {
  beginRun,
  endRun,
  extendJobRun,
  findUnfinishedRun,
  type Run,
  rewindRun,
} from './reconciliation/run.ts'
export { ListDifferences, ReportQuery } from './reconciliation/schemas.ts'
export { openDifference } from './reconciliation/settle-differences.ts'
export {
  campaignAt,
  listWatchedCampaigns,
  type WatchedCampaigns,
} from './reconciliation/watched-campaigns.ts'
export { withChainLease } from './reconciliation/with-chain-lease.ts'
