import { z } from 'zod'
import { JsonNumber } from '../../../kernel/formats/json.ts'
import { CAMPAIGN_STATUSES } from '../../../kernel/statuses.ts'
import { Moment, moneyText, PageQuery, PublicName, severalOf, WebUrl } from '../../shared/index.ts'
import { EscrowInput } from '../escrow/schemas.ts'
import { Slug } from './slug.ts'

const MAX_DOCS = 20

/** A coordinate in degrees, which may be rounded to a double because it is not money. */
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
  description: 'The end that you announce, in the future. Donations after this time count too.',
})

export const MAX_MILESTONES = 50
export const NewMilestone = z.object({
  title: text(200).optional(),
  description: text(5_000),
  amount: moneyText,
  verificationDocs: z.array(WebUrl).max(MAX_DOCS).optional(),
  /** Has no effect, because every new milestone is `pending`. */
  status: z.literal('pending').optional(),
})

/** The fields of a new campaign, as domain functions take them. */
export const CreateCampaign = z.object({
  title: text(200),
  description: text(20_000),
  targetAmount: moneyText,
  /** A fiat code, or the symbol of an asset on the account's chain. Default: `DEFAULT_CURRENCY`. */
  currency: text(16).optional(),
  creatorId: z.uuid().optional(),
  /** An EIP-55 address, or a CAIP-10 account, which also names the chain. */
  ledgerAccount: text(80).optional().meta({
    description:
      'The account that gets the donations. Required without `escrow`, and refused with `escrow`.',
  }),
  /** An escrow contract receives the donations. Its address becomes the account. */
  escrow: EscrowInput.optional(),
  milestones: z.array(NewMilestone),
  status: z.enum(['draft', 'active']).default('active'),
  category: Category.optional(),
  location: Location.optional(),
  creatorName: PublicName.optional(),
  /** Default: a slug that is made from the title. */
  slug: Slug.optional(),
  endsAt: EndsAt.optional(),
})
export type CreateCampaign = z.output<typeof CreateCampaign>

/** A missing field keeps its value. Null clears the field. */
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

/** The limit of words in a search, because the database looks up each word separately. */
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
    .describe('Your own campaigns, with drafts. Needs a token or key.'),
  q: SearchText.optional(),
  sort: z.enum(['newest', 'oldest']).default('newest'),
})
export type ListCampaigns = z.output<typeof ListCampaigns>
