export type { CampaignView, MilestoneView } from './campaign-view.ts'
export { createCampaign } from './create-campaign.ts'
export { getCampaign } from './get-campaign.ts'
export { listCampaigns } from './list-campaigns.ts'
export {
  CAMPAIGN_STATUSES,
  CampaignFields,
  type CreateCampaign,
  ListCampaigns,
  Location,
  MAX_CAMPAIGN_MILESTONES,
  MILESTONE_STATUSES,
  MilestoneDescription,
  MilestoneTitle,
  VerificationDocs,
} from './schemas.ts'
