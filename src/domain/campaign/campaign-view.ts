import type { Queryable } from '../../db/client.ts'
import { toChecksumAddress } from '../../kernel/address.ts'
import { formatUnits } from '../../kernel/money.ts'
import type { Context } from '../context.ts'
import type { CampaignStatus, Location, MilestoneStatus } from './schemas.ts'

type MilestoneRow = {
  id: string
  title: string | null
  description: string
  /** Base units as text: a JSON number would lose digits on its way out of jsonb. */
  amount: string
  cumulative: string
  status: MilestoneStatus
  verification_docs: string[]
  reached_at: string | null
  verified_at: string | null
  released_at: string | null
}

export type CampaignRow = {
  id: string
  creator_id: string
  title: string
  description: string
  category: string | null
  location: Location | null
  status: CampaignStatus
  currency_id: string
  target_amount: string
  raised: string
  donations: number
  chain_id: number
  account: string
  account_proven_at: Date | null
  funded_at: Date | null
  created_at: Date
  updated_at: Date
  milestones: MilestoneRow[]
}

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
  title: string
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
  createdAt: Date
  updatedAt: Date
}

/** The one SELECT behind every read of campaigns; the caller adds `where` and `order by`. */
export const selectCampaign = (sql: Queryable) => sql`
  select campaign.*, total.raised, total.donations, listed.milestones
  from campaign
  join campaign_total total on total.campaign_id = campaign.id
  cross join lateral (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', id, 'title', title, 'description', description, 'amount', amount::text,
      'cumulative', cumulative::text, 'status', status, 'verification_docs', verification_docs,
      'reached_at', reached_at, 'verified_at', verified_at, 'released_at', released_at
    ) order by position), '[]') as milestones
    from milestone where milestone.campaign_id = campaign.id
  ) listed`

export const toCampaignView = (ctx: Context, row: CampaignRow): CampaignView => {
  const currency = ctx.settings.assets.byId(row.currency_id)
  const decimal = (units: string) => formatUnits(BigInt(units), currency.decimals)
  return {
    id: row.id,
    creatorId: row.creator_id,
    title: row.title,
    description: row.description,
    category: row.category,
    location: row.location,
    status: row.status,
    currency: currency.symbol,
    targetAmount: decimal(row.target_amount),
    currentAmount: decimal(row.raised),
    donations: row.donations,
    ledgerAccount: toChecksumAddress(row.account),
    chainId: row.chain_id,
    accountProven: row.account_proven_at !== null,
    milestones: row.milestones.map((milestone) => ({
      id: milestone.id,
      title: milestone.title,
      description: milestone.description,
      amount: decimal(milestone.amount),
      cumulativeAmount: decimal(milestone.cumulative),
      status: milestone.status,
      verificationDocs: milestone.verification_docs,
      reachedAt: dateOf(milestone.reached_at),
      verifiedAt: dateOf(milestone.verified_at),
      releasedAt: dateOf(milestone.released_at),
    })),
    fundedAt: row.funded_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

const dateOf = (text: string | null): Date | null => (text === null ? null : new Date(text))
