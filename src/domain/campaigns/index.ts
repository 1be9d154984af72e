/** Campaigns with their milestones, updates, impact reports and escrows. */

export type { CampaignView, ListedCampaignView, MilestoneView } from './campaign/campaign-view.ts'
export { changeCampaign } from './campaign/change-campaign.ts'
export { completeIfDone, reopenIfUndone } from './campaign/complete-campaigns.ts'
export { deleteCover, getCover, MAX_COVER_BYTES, setCover, setDrawing } from './campaign/cover.ts'
export {
  createCampaign,
  defaultLedgerAccount,
  prepareCampaign,
} from './campaign/create-campaign.ts'
export { deleteDraft, deleteDraftsOf } from './campaign/delete-drafts.ts'
export {
  type CampaignTitle,
  campaignTitles,
  getCampaign,
  getMilestone,
} from './campaign/get-campaign.ts'
export { listAddresses, listCampaigns } from './campaign/list-campaigns.ts'
export { ofCreator, unknownCampaign } from './campaign/lock-campaign.ts'
export { type MoneyFacts, readMoneyFacts } from './campaign/money-facts.ts'
export { checkAccount, getAccountProof, proveAccount } from './campaign/prove-account.ts'
export { type CreatorView, readCreator } from './campaign/read-creator.ts'
export { readFigures } from './campaign/read-figures.ts'
export {
  ChangeCampaign,
  CreateCampaign,
  ListCampaigns,
  MAX_MILESTONES,
  NewMilestone,
} from './campaign/schemas.ts'
export { IdOrSlug } from './campaign/slug.ts'
export { updatedEvent } from './campaign/updated-event.ts'
export type { BookedBlock } from './escrow/escrow-money.ts'
export { ESCROW_STATES } from './escrow/escrow-state.ts'
export { chainLeadMs, newestBlockTime } from './escrow/escrow-time.ts'
export type { CampaignEscrowView } from './escrow/escrow-view.ts'
export { eventOrder } from './escrow/event-order.ts'
export {
  ESCROW_ACTIONS,
  type EscrowFacts,
  type EscrowView,
  getEscrow,
} from './escrow/get-escrow.ts'
export { type ReadyTransaction, readyTransaction } from './escrow/ready-transaction.ts'
export { isClosed, isDeployed, recordedDonor } from './escrow/recorded-donor.ts'
export { EscrowInput, PrepareTermination } from './escrow/schemas.ts'
export { prepareTermination } from './escrow/verifier-calls.ts'
export {
  getImpact,
  type ImpactView,
  type ListedImpactView,
  listImpact,
} from './impact/read-impact.ts'
export { reportImpact } from './impact/report-impact.ts'
export {
  ListImpact,
  MetricFields,
  metricsOf,
  ReportFields,
  ReportImpact,
  VerifyImpact,
} from './impact/schemas.ts'
export { verifyImpact } from './impact/verify-impact.ts'
export { checkVerification } from './milestone/check-verification.ts'
export { getVerification, type MilestoneVerification } from './milestone/get-verification.ts'
export { readEvidence, type SignedEvidence } from './milestone/read-evidence.ts'
export { Decision, Evidence, EvidenceItem, VerifyMilestone } from './milestone/schemas.ts'
export type { MilestoneState } from './milestone/verification-view.ts'
export { verifyMilestone } from './milestone/verify-milestone.ts'
export type { EscrowFigures } from './refund/collectable.ts'
export type { DonorRefund } from './refund/donor-refund.ts'
export { findAccountRefunds } from './refund/find-account-refunds.ts'
export { type FoundRefund, findDonationRefund } from './refund/find-donation-refund.ts'
export { getDonationRefund } from './refund/get-donation-refund.ts'
export { listAccountRefunds } from './refund/list-account-refunds.ts'
export { listReturns } from './refund/list-returns.ts'
export { PrepareReturns, prepareReturns } from './refund/prepare-returns.ts'
export { getRejection } from './release/get-rejection.ts'
export { getRelease } from './release/get-release.ts'
export { PrepareRejection, prepareRejection } from './release/prepare-rejection.ts'
export { remindOfReleases } from './release/remind-of-releases.ts'
export { getUpdate, type ListedUpdateView, listUpdates } from './update/list-updates.ts'
export { ChangeUpdate, ListUpdates, PostUpdate } from './update/schemas.ts'
export { changeUpdate, deleteUpdate, postUpdate } from './update/write-updates.ts'
