import { z } from 'zod'
import { JsonNumber } from '../../kernel/formats/json.ts'
import { CAMPAIGN_STATUSES } from '../../kernel/statuses.ts'
import { Moment } from '../moment.ts'
import { moneyText } from '../money-input.ts'
import { PageQuery, severalOf } from '../page.ts'
import { PublicName } from '../public-text.ts'
import { WebUrl } from '../web-url.ts'
import { Slug } from './slug.ts'

const MAX_DOCS = 20

/** A number that is no money: digits beyond a double are rounded. */
const coordinate = z.preprocess(
  (value) => (value instanceof JsonNumber ? Number(value.source) : value),
  z.number().min(-180).max(180).meta({ format: 'double' }),
)

const text = (max: number) => z.string().trim().min(1).max(max)

const Location = z.strictObject({
  country: text(100).optional(),
  region: text(100).optional(),
  coordinates: z.tuple([coordinate, coordinate]).optional(),
})
export type Location = z.output<typeof Location>

const Category = text(60)
const EndsAt = Moment.meta({
  description: 'The end that you announce, in the future. Donations count after it too.',
})

export const MAX_MILESTONES = 50
export const NewMilestone = z.object({
  title: text(200).optional(),
  description: text(5_000),
  amount: moneyText,
  verificationDocs: z.array(WebUrl).max(MAX_DOCS).optional(),
  /** The interface has it among the fields of a milestone; verification changes it. */
  status: z.literal('pending').optional(),
})

/** The fields of a new campaign; each family of paths spells them in its own way. */
export const CreateCampaign = z.object({
  title: text(200),
  description: text(20_000),
  targetAmount: moneyText,
  /** A symbol of the chain, or a fiat code with a price; left out: the deployment's. */
  currency: text(16).optional(),
  creatorId: z.uuid().optional(),
  /** EIP-55, or CAIP-10 to name the chain. */
  ledgerAccount: text(80),
  milestones: z.array(NewMilestone),
  status: z.enum(['draft', 'active']).default('active'),
  category: Category.optional(),
  location: Location.optional(),
  creatorName: PublicName.optional(),
  /** Left out: made from the title. */
  slug: Slug.optional(),
  endsAt: EndsAt.optional(),
})
export type CreateCampaign = z.output<typeof CreateCampaign>

/** A field that is left out stays as it is, and null clears it. */
export const ChangeCampaign = CreateCampaign.omit({ creatorId: true, currency: true })
  .extend({
    status: z.enum(CAMPAIGN_STATUSES),
    category: Category.nullable(),
    location: Location.nullable(),
    creatorName: PublicName.nullable(),
    endsAt: EndsAt.nullable(),
  })
  .partial()
export type ChangeCampaign = z.output<typeof ChangeCampaign>

/** Each word is looked up by itself: thirty common beginnings take seconds. */
const MAX_SEARCH_WORDS = 8
const SearchText = text(100)
  .refine((q) => (q.match(/[\p{L}\p{N}]+/gu) ?? []).length <= MAX_SEARCH_WORDS, {
    error: `must have at most ${MAX_SEARCH_WORDS} words`,
  })
  .meta({
    description: `At most ${MAX_SEARCH_WORDS} words, or beginnings of words, of title, description, country or region. A found campaign has all of them.`,
  })

export const ListCampaigns = PageQuery.extend({
  status: severalOf(CAMPAIGN_STATUSES),
  category: Category.optional(),
  creator: z
    .literal('me')
    .optional()
    .meta({ description: 'Your own campaigns, with drafts. Needs a token or key.' }),
  q: SearchText.optional(),
  sort: z.enum(['newest', 'oldest']).default('newest'),
})
export type ListCampaigns = z.output<typeof ListCampaigns>
