export {
  type HeldBalance,
  listWatchedBalances,
  type NativeBalance,
  saveBalances,
  type WatchedBalance,
} from './account-balances.ts'
export { acknowledgeDifference, checkAcknowledgements } from './acknowledge.ts'
export { balanceKey, type CommittedWindow, commitWindow } from './commit-window.ts'
export { compareBooks } from './compare-books.ts'
export { compareTransfers } from './compare-transfers.ts'
export {
  balanceDifference,
  DIFFERENCE_KINDS,
  type DifferenceKind,
  type FoundDifference,
} from './difference.ts'
export { type CampaignReport, getReport } from './get-report.ts'
export { type DifferenceView, listDifferences } from './list-differences.ts'
export {
  countOpenDifferences,
  listHoldings,
  listNativeBlocks,
  listOpenBlocks,
} from './list-holdings.ts'
export {
  beginRun,
  endRun,
  extendJobRun,
  findUnfinishedRun,
  type Run,
  rewindRun,
} from './run.ts'
export { ListDifferences, ReportQuery } from './schemas.ts'
export { isUnexplained, openDifference } from './settle-differences.ts'
export { campaignAt, listWatchedCampaigns, type WatchedCampaigns } from './watched-campaigns.ts'
export { withChainLease } from './with-chain-lease.ts'
