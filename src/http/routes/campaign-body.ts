import { z } from 'zod'
import type {
  CampaignView,
  ListedCampaignView,
  MilestoneView,
  SingleMilestoneView,
} from '../../domain/campaign/index.ts'
import { IMAGE_TYPES } from '../../kernel/image.ts'
import { jsonDecimal } from '../../kernel/json.ts'
import { CAMPAIGN_STATUSES, MILESTONE_STATUSES } from '../../kernel/statuses.ts'
import type { Requirement } from '../errors.ts'
import { EXAMPLE_ID } from '../openapi/samples.ts'
import { Amount, Coordinate, EXCERPT, Id, Requires, Time } from '../schemas.ts'

/** What a list says of a milestone. */
export const IDS_ONLY = 'Of each its id and status; the single read has the rest.'

const Milestone = z
  .object({
    id: Id,
    title: z.string().nullable(),
    description: z.string(),
    amount: Amount,
    cumulative_amount: Amount.meta({ description: 'What must be raised for it to be reached.' }),
    status: z.enum(MILESTONE_STATUSES).meta({
      description: '`released` moves the amount within the ledger, and nothing on the chain.',
    }),
    verification_docs: z.array(z.string()).meta({
      description: 'Links of the creator: claims, which are no evidence of a verifier.',
    }),
    reached_at: Time.nullable(),
    verified_at: Time.nullable(),
    released_at: Time.nullable(),
  })
  .meta({ id: 'Milestone' })

/** A milestone apart from its campaign. */
export const SingleMilestone = Milestone.extend({
  campaign_id: Id,
  currency: z.string().meta({ description: 'Of its amounts.' }),
}).meta({ id: 'SingleMilestone' })

export const toSingleMilestoneBody = (milestone: SingleMilestoneView) => ({
  ...toMilestoneBody(milestone),
  campaign_id: milestone.campaignId,
  currency: milestone.currency,
})

/** A cover image, which is read from its address. */
export const Cover = z
  .object({
    url: z.url().meta({
      description: 'For everyone, unless the campaign is a draft.',
      examples: [`https://example.org/api/campaigns/${EXAMPLE_ID}/cover`],
    }),
    type: z.enum(IMAGE_TYPES),
    width: z.int().meta({ description: 'In pixels.', examples: [1200] }),
    height: z.int().meta({ examples: [630] }),
  })
  .meta({ id: 'Cover' })

/** A campaign in the interface's spelling. */
export const Campaign = z
  .object({
    _id: Id,
    title: z.string(),
    slug: z.string().meta({ description: 'Its name in addresses, which finds it like its id.' }),
    description: z.string(),
    target_amount: Amount,
    current_amount: Amount.meta({
      description: 'What completed donations count for: the sum of the ledger.',
    }),
    currency: z.string(),
    donations: z.int().meta({ description: 'How many are completed.' }),
    creator_id: Id,
    creator_name: z.string().nullable().meta({ description: "The creator's word: a claim." }),
    ledger_account: z
      .string()
      .meta({ description: 'A claim of the creator unless `account_proven`.' }),
    chain_id: z.int(),
    account_proven: z
      .boolean()
      .meta({ description: 'Whether the account has signed for the campaign.' }),
    milestones: z.array(Milestone),
    status: z.enum(CAMPAIGN_STATUSES),
    category: z.string().nullable(),
    location: z
      .object({
        country: z.string().nullable(),
        region: z.string().nullable(),
        coordinates: z.array(Coordinate).nullable(),
      })
      .nullable(),
    funded_at: Time.nullable(),
    ends_at: Time.nullable().meta({ description: 'As announced: donations count after it too.' }),
    created_at: Time,
    updated_at: Time,
    cover: Cover.nullable(),
  })
  .meta({ id: 'Campaign' })

/** Beside a new campaign. */
export const RequiresBeforeOpening = Requires.nullable().meta({
  description: 'What the campaign waits for as a draft. Null where it is as you asked for it.',
  examples: [null],
})

/** A campaign that was to be active is kept as a draft only until its account has signed. */
export const requiredOf = (
  asked: 'draft' | 'active',
  { status }: CampaignView,
): Requirement | null => (asked === 'active' && status === 'draft' ? 'account_proof' : null)

/** The same in a list, which leaves out long texts. */
export const ListedCampaign = Campaign.extend({
  description: z.string().meta({ description: EXCERPT }),
  milestones: z.array(Milestone.pick({ id: true, status: true })).meta({ description: IDS_ONLY }),
}).meta({ id: 'ListedCampaign' })

export const toCampaignBody = ({ milestones, ...campaign }: CampaignView) => ({
  ...toSharedBody(campaign),
  milestones: milestones.map(toMilestoneBody),
})

export const toListedCampaignBody = ({ milestones, ...campaign }: ListedCampaignView) => ({
  ...toSharedBody(campaign),
  milestones,
})

const toSharedBody = (campaign: Omit<CampaignView, 'milestones'>) => ({
  _id: campaign.id,
  title: campaign.title,
  slug: campaign.slug,
  description: campaign.description,
  target_amount: jsonDecimal(campaign.targetAmount),
  current_amount: jsonDecimal(campaign.currentAmount),
  currency: campaign.currency,
  donations: campaign.donations,
  creator_id: campaign.creatorId,
  creator_name: campaign.creatorName,
  ledger_account: campaign.ledgerAccount,
  chain_id: campaign.chainId,
  account_proven: campaign.accountProven,
  status: campaign.status,
  category: campaign.category,
  location: campaign.location,
  funded_at: campaign.fundedAt,
  ends_at: campaign.endsAt,
  created_at: campaign.createdAt,
  updated_at: campaign.updatedAt,
  cover: campaign.cover,
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
