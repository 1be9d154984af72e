export type { CampaignView, ListedCampaignView, MilestoneView } from './campaign-view.ts'
export { changeCampaign } from './change-campaign.ts'
export { completeIfDone, reopenIfUndone } from './complete-campaigns.ts'
export { deleteCover, getCover, MAX_COVER_BYTES, setCover } from './cover.ts'
export { createCampaign, defaultLedgerAccount, prepareCampaign } from './create-campaign.ts'
export { deleteDraft, deleteDraftsOf } from './delete-drafts.ts'
export { type CampaignTitle, campaignTitles, getCampaign, getMilestone } from './get-campaign.ts'
export { listCampaigns } from './list-campaigns.ts'
export { keepCampaign, ofCreator, unknownCampaign } from './lock-campaign.ts'
export { checkAccount, getAccountProof, proveAccount } from './prove-account.ts'
export {
  ChangeCampaign,
  CreateCampaign,
  ListCampaigns,
  MAX_MILESTONES,
  NewMilestone,
} from './schemas.ts'
export { IdOrSlug } from './slug.ts'
export { updatedEvent } from './updated-event.ts'
