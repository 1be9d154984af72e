import type { Part, Queryable } from '../../db/client.ts'
import { toChecksumAddress } from '../../kernel/address.ts'
import type { ImageType } from '../../kernel/image.ts'
import { formatUnits } from '../../kernel/money.ts'
import type { CampaignStatus, MilestoneStatus } from '../../kernel/statuses.ts'
import type { Context } from '../context.ts'
import { excerptOf } from '../excerpt.ts'
import type { Location } from './schemas.ts'

type MilestoneRow = {
  id: string
  title: string | null
  description: string
  /** Base units as text: a JSON number would lose digits on its way out of jsonb. */
  amount: string
  cumulative: string
  status: MilestoneStatus
  verificationDocs: string[]
  reachedAt: string | null
  verifiedAt: string | null
  releasedAt: string | null
}

/** The columns that both a single read and a list show. */
type SharedRow = {
  id: string
  creatorId: string
  creatorName: string | null
  title: string
  slug: string | null
  description: string
  category: string | null
  location: Location | null
  status: CampaignStatus
  currencyId: string
  targetAmount: string
  raised: string
  donations: number
  chainId: number
  account: string
  accountProvenAt: Date | null
  fundedAt: Date | null
  endsAt: Date | null
  createdAt: Date
  updatedAt: Date
  coverType: ImageType | null
  coverWidth: number | null
  coverHeight: number | null
}

export type CampaignRow = SharedRow & { milestones: MilestoneRow[] }
export type ListedCampaignRow = SharedRow & { milestones: ListedMilestone[] }

type ListedMilestone = Pick<MilestoneView, 'id' | 'status'>

export type MilestoneView = {
  id: string
  title: string | null
  description: string
  amount: string
  /** What the campaign must have raised for this milestone to be reached. */
  cumulativeAmount: string
  status: MilestoneStatus
  verificationDocs: string[]
  reachedAt: Date | null
  verifiedAt: Date | null
  releasedAt: Date | null
}

/** A campaign with amounts as decimal text in `currency`. */
export type CampaignView = {
  id: string
  creatorId: string
  /** What the creator wants to be called. */
  creatorName: string | null
  title: string
  /** Its name in addresses. */
  slug: string
  description: string
  category: string | null
  location: Location | null
  status: CampaignStatus
  currency: string
  targetAmount: string
  currentAmount: string
  donations: number
  /** EIP-55. */
  ledgerAccount: string
  chainId: number
  accountProven: boolean
  milestones: MilestoneView[]
  fundedAt: Date | null
  /** As announced; it decides nothing. */
  endsAt: Date | null
  createdAt: Date
  updatedAt: Date
  cover: CoverView | null
}

/** Of a cover image, which is read apart. In pixels. */
export type CoverView = { url: string; type: ImageType; width: number; height: number }

/** As a list shows it: the beginning of its description, and no texts of its milestones. */
export type ListedCampaignView = Omit<CampaignView, 'milestones'> & {
  milestones: ListedMilestone[]
}

const columns = (sql: Queryable, description: Part) => sql`
  campaign.id, creator_id, creator_name, title, slug, ${description} as description, category,
  location, status, currency_id, target_amount, chain_id, account, account_proven_at, funded_at,
  ends_at, campaign.created_at, campaign.updated_at, total.raised, total.donations,
  listed.milestones, cover.type as cover_type, cover.width as cover_width,
  cover.height as cover_height`

/** The SELECT behind a single read; the caller adds `where`. */
export const selectCampaign = (sql: Queryable) => sql`
  select ${columns(sql, sql`description`)}
  from campaign
  join campaign_total total on total.campaign_id = campaign.id
  left join campaign_cover cover on cover.campaign_id = campaign.id
  cross join lateral (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', id, 'title', title, 'description', description, 'amount', amount::text,
      'cumulative', cumulative::text, 'status', status, 'verificationDocs', verification_docs,
      'reachedAt', reached_at, 'verifiedAt', verified_at, 'releasedAt', released_at
    ) order by position), '[]') as milestones
    from milestone where milestone.campaign_id = campaign.id
  ) listed`

/** The SELECT behind lists: no long text leaves the database. The caller adds the rest. */
export const selectListedCampaign = (sql: Queryable) => sql`
  select ${columns(sql, excerptOf(sql, sql`description`))}
  from campaign
  join campaign_total total on total.campaign_id = campaign.id
  left join campaign_cover cover on cover.campaign_id = campaign.id
  cross join lateral (
    select coalesce(jsonb_agg(jsonb_build_object('id', id, 'status', status) order by position),
                    '[]') as milestones
    from milestone where milestone.campaign_id = campaign.id
  ) listed`

export const toCampaignView = (ctx: Context, row: CampaignRow): CampaignView => {
  const decimal = decimalOf(ctx, row)
  return {
    ...sharedView(ctx, row),
    milestones: row.milestones.map((milestone) => ({
      id: milestone.id,
      title: milestone.title,
      description: milestone.description,
      amount: decimal(milestone.amount),
      cumulativeAmount: decimal(milestone.cumulative),
      status: milestone.status,
      verificationDocs: milestone.verificationDocs,
      reachedAt: dateOf(milestone.reachedAt),
      verifiedAt: dateOf(milestone.verifiedAt),
      releasedAt: dateOf(milestone.releasedAt),
    })),
  }
}

export const toListedCampaign = (ctx: Context, row: ListedCampaignRow): ListedCampaignView => ({
  ...sharedView(ctx, row),
  milestones: row.milestones,
})

const decimalOf = (ctx: Context, { currencyId: currency_id }: SharedRow) => {
  const { decimals } = ctx.settings.assets.byId(currency_id)
  return (units: string) => formatUnits(BigInt(units), decimals)
}

const sharedView = (ctx: Context, row: SharedRow): Omit<CampaignView, 'milestones'> => {
  const decimal = decimalOf(ctx, row)
  return {
    id: row.id,
    creatorId: row.creatorId,
    creatorName: row.creatorName,
    title: row.title,
    slug: row.slug ?? row.id,
    description: row.description,
    category: row.category,
    location: row.location,
    status: row.status,
    currency: ctx.settings.assets.byId(row.currencyId).symbol,
    targetAmount: decimal(row.targetAmount),
    currentAmount: decimal(row.raised),
    donations: row.donations,
    ledgerAccount: toChecksumAddress(row.account),
    chainId: row.chainId,
    accountProven: row.accountProvenAt !== null,
    fundedAt: row.fundedAt,
    endsAt: row.endsAt,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    cover: coverOf(ctx, row),
  }
}

const coverOf = (ctx: Context, row: SharedRow): CoverView | null => {
  const { id, coverType: type, coverWidth: width, coverHeight: height } = row
  if (type === null || width === null || height === null) return null
  const url = new URL(`/api/campaigns/${id}/cover`, ctx.settings.publicUrl).href
  return { url, type, width, height }
}

const dateOf = (text: string | null): Date | null => (text === null ? null : new Date(text))
