import { z } from 'zod'
import type {
  CampaignView,
  ListedCampaignView,
  MilestoneView,
} from '../../../domain/campaigns/index.ts'
import type { Requirement } from '../../../edge/errors.ts'
import {
  Amount,
  Coordinate,
  component,
  EXCERPT,
  Id,
  Requires,
  Time,
} from '../../../edge/schemas.ts'
import { COVER_TYPES } from '../../../kernel/formats/image.ts'
import { jsonDecimal } from '../../../kernel/formats/json.ts'
import { CAMPAIGN_STATUSES, MILESTONE_STATUSES } from '../../../kernel/statuses.ts'
import { EXAMPLE_ID } from '../../openapi/samples.ts'
import { CampaignEscrow, toTermsBody } from '../escrow/escrow-body.ts'
import { API, type Family, V1 } from '../families.ts'

const MILESTONE = {
  id: Id,
  title: z.string().nullable(),
  description: z.string(),
  amount: Amount,
  cumulativeAmount: Amount.meta({
    description: 'The raised amount at which the campaign reaches this milestone.',
  }),
  status: z.enum(MILESTONE_STATUSES).meta({
    description:
      '`released` moves the amount within the ledger, and on the chain only with an escrow.',
  }),
  verificationDocs: z
    .array(z.string())
    .describe('Links of the creator: claims, not evidence of a verifier.'),
  reachedAt: Time.nullable(),
  verifiedAt: Time.nullable(),
  releasedAt: Time.nullable(),
}

/** Additional fields of a milestone, if an answer contains only this milestone. */
const SINGLE = {
  campaignId: Id,
  currency: z.string().describe('The currency of the amounts.'),
}

/** The address, type and size of a cover image. */
const Cover = component('Cover', {
  url: z.url().meta({
    description: 'The address of the image, for everyone unless the campaign is a draft.',
    examples: [`https://example.org/api/campaigns/${EXAMPLE_ID}/cover`],
  }),
  type: z.enum(COVER_TYPES).describe('Only the examples of a sandbox have SVG.'),
  width: z.int().meta({ description: 'Its width in pixels.', examples: [1200] }),
  height: z.int().meta({ examples: [630] }),
})

/** The fields that stand between the id and the milestones of a campaign in an answer. */
const CAMPAIGN = {
  title: z.string(),
  slug: z.string().describe("The campaign's name in web addresses. Usable like the id."),
  description: z.string(),
  targetAmount: Amount,
  currentAmount: Amount.describe('The sum of completed donations, from the ledger.'),
  currency: z.string(),
  donations: z.int().describe('The number of completed donations.'),
  creatorId: Id,
  creatorName: z.string().nullable().describe('A name that the creator claims.'),
  ledgerAccount: z.string(),
  chainId: z.int(),
  accountProven: z.boolean().describe('Whether the account has signed for the campaign.'),
}

/** The fields that stand after the milestones of a campaign in an answer. */
const CAMPAIGN_REST = {
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
  endsAt: Time.nullable().describe('The announced end. Later donations count too.'),
  createdAt: Time,
  updatedAt: Time,
  cover: Cover.nullable(),
}

const ORDER = Object.keys({ ...CAMPAIGN, ...CAMPAIGN_REST })

/** The schemas of campaigns and milestones in `/api` or `/v1`, and functions that make bodies. */
const bodiesOf = (family: Family, campaignId: '_id' | 'id') => {
  const { schemaId, spell, field } = family
  const Milestone = z.object(spell(MILESTONE)).meta({ id: schemaId('Milestone') })
  const Campaign = z
    .object({
      [campaignId]: Id,
      ...spell({
        ...CAMPAIGN,
        ledgerAccount: CAMPAIGN.ledgerAccount.meta({
          description: `The account that gets the donations. Only a claim of the creator unless \`${field('accountProven')}\`.`,
        }),
        milestones: z.array(Milestone),
        ...CAMPAIGN_REST,
        escrow: CampaignEscrow.optional(),
      }),
    })
    .meta({ id: schemaId('Campaign') })

  const toMilestoneBody = (milestone: MilestoneView) =>
    spell<unknown>({
      ...milestone,
      amount: jsonDecimal(milestone.amount),
      cumulativeAmount: jsonDecimal(milestone.cumulativeAmount),
    })
  const toListedCampaignBody = ({ id, milestones, ...campaign }: ListedCampaignView) => ({
    [campaignId]: id,
    ...spell<unknown>(
      {
        ...campaign,
        targetAmount: jsonDecimal(campaign.targetAmount),
        currentAmount: jsonDecimal(campaign.currentAmount),
      },
      ORDER,
    ),
    milestones,
  })
  return {
    family,
    Campaign,
    /** A campaign in a list has the start of its description, and two fields of each milestone. */
    ListedCampaign: Campaign.omit({ escrow: true })
      .extend({
        description: z.string().describe(EXCERPT),
        milestones: z.array(Milestone.pick({ id: true, status: true })).meta({
          description:
            'The id and status of each milestone. The request for one campaign returns all fields.',
        }),
      })
      .meta({ id: schemaId('ListedCampaign') }),
    SingleMilestone: Milestone.extend(spell<z.ZodType>(SINGLE)).meta({
      id: schemaId('SingleMilestone'),
    }),
    toMilestoneBody,
    toListedCampaignBody,
    toCampaignBody: ({ escrow, ...campaign }: CampaignView) => ({
      ...toListedCampaignBody(campaign),
      milestones: campaign.milestones.map(toMilestoneBody),
      ...(escrow ? { escrow: toTermsBody(escrow) } : {}),
    }),
  }
}

export type CampaignBodies = ReturnType<typeof bodiesOf>
export const API_BODIES = bodiesOf(API, '_id')
export const V1_BODIES = bodiesOf(V1, 'id')
export const { Campaign, toCampaignBody } = API_BODIES

/** A field for the step that a new campaign still needs to become active. */
export const RequiresBeforeOpening = Requires.nullable().meta({
  description: 'The step that the draft waits for. Null if the campaign waits for nothing.',
  examples: [null],
})

/**
 * The step that a new campaign still needs to become active, or null. If the creator asked for
 * `active` but the status is `draft`, the owner of the campaign's account must first sign a proof.
 */
export const requiredOf = (
  asked: 'draft' | 'active',
  { status }: CampaignView,
): Requirement | null => (asked === 'active' && status === 'draft' ? 'account_proof' : null)
