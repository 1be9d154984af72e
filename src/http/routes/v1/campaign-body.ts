import { z } from 'zod'
import type {
  CampaignView,
  ListedCampaignView,
  MilestoneView,
} from '../../../domain/campaign/index.ts'
import { jsonDecimal } from '../../../kernel/json.ts'
import { CAMPAIGN_STATUSES, MILESTONE_STATUSES } from '../../../kernel/statuses.ts'
import { Amount, Coordinate, EXCERPT, Id, Time } from '../../schemas.ts'
import { Cover, IDS_ONLY } from '../campaign-body.ts'

const V1Milestone = z
  .object({
    id: Id,
    title: z.string().nullable(),
    description: z.string(),
    amount: Amount,
    cumulativeAmount: Amount.meta({ description: 'What must be raised for it to be reached.' }),
    status: z.enum(MILESTONE_STATUSES).meta({
      description: '`released` moves the amount within the ledger, and nothing on the chain.',
    }),
    verificationDocs: z.array(z.string()).meta({
      description: 'Links of the creator: claims, which are no evidence of a verifier.',
    }),
    reachedAt: Time.nullable(),
    verifiedAt: Time.nullable(),
    releasedAt: Time.nullable(),
  })
  .meta({ id: 'V1Milestone' })

/** A milestone apart from its campaign. */
export const V1SingleMilestone = V1Milestone.extend({
  campaignId: Id,
  currency: z.string().meta({ description: 'Of its amounts.' }),
}).meta({ id: 'V1SingleMilestone' })

/** A campaign in camelCase. */
export const V1Campaign = z
  .object({
    id: Id,
    title: z.string(),
    slug: z.string().meta({ description: 'Its name in addresses, which finds it like its id.' }),
    description: z.string(),
    targetAmount: Amount,
    currentAmount: Amount.meta({
      description: 'What completed donations count for: the sum of the ledger.',
    }),
    currency: z.string(),
    donations: z.int().meta({ description: 'How many are completed.' }),
    creatorId: Id,
    creatorName: z.string().nullable().meta({ description: "The creator's word: a claim." }),
    ledgerAccount: z
      .string()
      .meta({ description: 'A claim of the creator unless `accountProven`.' }),
    chainId: z.int(),
    accountProven: z
      .boolean()
      .meta({ description: 'Whether the account has signed for the campaign.' }),
    milestones: z.array(V1Milestone),
    status: z.enum(CAMPAIGN_STATUSES),
    category: z.string().nullable(),
    location: z
      .object({
        country: z.string().nullable(),
        region: z.string().nullable(),
        coordinates: z.array(Coordinate).nullable(),
      })
      .nullable(),
    fundedAt: Time.nullable(),
    endsAt: Time.nullable().meta({ description: 'As announced: donations count after it too.' }),
    createdAt: Time,
    updatedAt: Time,
    cover: Cover.nullable(),
  })
  .meta({ id: 'V1Campaign' })

/** The same in a list, which leaves out long texts. */
export const V1ListedCampaign = V1Campaign.extend({
  description: z.string().meta({ description: EXCERPT }),
  milestones: z.array(V1Milestone.pick({ id: true, status: true })).meta({ description: IDS_ONLY }),
}).meta({ id: 'V1ListedCampaign' })

export const toV1ListedCampaignBody = (campaign: ListedCampaignView) => ({
  ...campaign,
  targetAmount: jsonDecimal(campaign.targetAmount),
  currentAmount: jsonDecimal(campaign.currentAmount),
})

export const toV1CampaignBody = (campaign: CampaignView) => ({
  ...campaign,
  targetAmount: jsonDecimal(campaign.targetAmount),
  currentAmount: jsonDecimal(campaign.currentAmount),
  milestones: campaign.milestones.map(toV1MilestoneBody),
})

export const toV1MilestoneBody = <T extends MilestoneView>(milestone: T) => ({
  ...milestone,
  amount: jsonDecimal(milestone.amount),
  cumulativeAmount: jsonDecimal(milestone.cumulativeAmount),
})
