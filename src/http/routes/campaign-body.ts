import { z } from 'zod'
import {
  CAMPAIGN_STATUSES,
  type CampaignView,
  MILESTONE_STATUSES,
  type MilestoneView,
} from '../../domain/campaign/index.ts'
import { jsonDecimal } from '../../kernel/json.ts'
import { Amount, Id, Time } from '../schemas.ts'

const Milestone = z
  .object({
    id: Id,
    title: z.string().nullable(),
    description: z.string(),
    amount: Amount,
    cumulative_amount: Amount.meta({ description: 'What must be raised for it to be reached.' }),
    status: z.enum(MILESTONE_STATUSES),
    verification_docs: z.array(z.string()),
    reached_at: Time.nullable(),
    verified_at: Time.nullable(),
    released_at: Time.nullable(),
  })
  .meta({ id: 'Milestone' })

/** A campaign in the interface's spelling. */
export const Campaign = z
  .object({
    _id: Id,
    title: z.string(),
    description: z.string(),
    target_amount: Amount,
    current_amount: Amount,
    currency: z.string(),
    donations: z.int(),
    creator_id: Id,
    ledger_account: z.string(),
    chain_id: z.int(),
    account_proven: z.boolean(),
    milestones: z.array(Milestone),
    status: z.enum(CAMPAIGN_STATUSES),
    category: z.string().nullable(),
    location: z
      .object({
        country: z.string().nullable(),
        region: z.string().nullable(),
        coordinates: z.array(z.number()).nullable(),
      })
      .nullable(),
    funded_at: Time.nullable(),
    created_at: Time,
    updated_at: Time,
  })
  .meta({ id: 'Campaign' })

export const toCampaignBody = (campaign: CampaignView) => ({
  _id: campaign.id,
  title: campaign.title,
  description: campaign.description,
  target_amount: jsonDecimal(campaign.targetAmount),
  current_amount: jsonDecimal(campaign.currentAmount),
  currency: campaign.currency,
  donations: campaign.donations,
  creator_id: campaign.creatorId,
  ledger_account: campaign.ledgerAccount,
  chain_id: campaign.chainId,
  account_proven: campaign.accountProven,
  milestones: campaign.milestones.map(toMilestoneBody),
  status: campaign.status,
  category: campaign.category,
  location: campaign.location,
  funded_at: campaign.fundedAt,
  created_at: campaign.createdAt,
  updated_at: campaign.updatedAt,
})

const toMilestoneBody = (milestone: MilestoneView) => ({
  id: milestone.id,
  title: milestone.title,
  description: milestone.description,
  amount: jsonDecimal(milestone.amount),
  cumulative_amount: jsonDecimal(milestone.cumulativeAmount),
  status: milestone.status,
  verification_docs: milestone.verificationDocs,
  reached_at: milestone.reachedAt,
  verified_at: milestone.verifiedAt,
  released_at: milestone.releasedAt,
})
