import type { Part, Queryable } from '../../../db/client.ts'
import type { Context } from '../../../db/context.ts'
import type {
  Campaign,
  CampaignCover,
  CampaignTotal,
  Milestone,
} from '../../../db/schema/campaigns.ts'
import { toChecksumAddress } from '../../../kernel/formats/address.ts'
import { formatUnits } from '../../../kernel/money/money.ts'
import { excerptOf } from '../../shared/index.ts'
import { type CampaignEscrowView, toCampaignEscrow } from '../escrow/escrow-view.ts'
import { isDeployed } from '../escrow/recorded-donor.ts'

/** `cumulativeAmount` is the raised amount at which the campaign reaches this milestone. */
export type MilestoneView = Omit<
  Milestone,
  'campaignId' | 'position' | 'cumulative' | 'verificationRound'
> & { cumulativeAmount: string }

/** The data of a cover image without its bytes. `width` and `height` are in pixels. */
type CoverView = Pick<CampaignCover, 'type' | 'width' | 'height'> & { url: string }

type SharedView = Omit<
  Campaign,
  | 'account'
  | 'accountProvenAt'
  | 'countsAfter'
  | 'countsAfterBlock'
  | 'currencyId'
  | 'neverOpened'
  | 'openedAt'
  | 'opensWhenProven'
  | 'search'
> &
  Pick<CampaignTotal, 'donations'> & {
    slug: string
    currency: string
    currentAmount: string
    /** The account's address in EIP-55 form. */
    ledgerAccount: string
    accountProven: boolean
    cover: CoverView | null
  }

/** A campaign as answers show it. Its amounts are decimal text in `currency`. */
export type CampaignView = SharedView & {
  milestones: MilestoneView[]
  /** Absent if the account is not an escrow. */
  escrow?: CampaignEscrowView
}

/** A campaign in a list. The description is short, and milestones have only an id and a status. */
export type ListedCampaignView = SharedView & { milestones: Pick<MilestoneView, 'id' | 'status'>[] }

/** A campaign view as the database returns it: amounts in base units, milestone times as text. */
export type CampaignRow = SharedView & {
  milestones: Stored<MilestoneView>[]
  escrow: { packed: string; deployed: boolean } | null
}
type Stored<T> = { [K in keyof T]: T[K] extends Date | null ? string | null : T[K] }

/**
 * The SELECT of a campaign view. Amounts in `milestones` are text, because JSON parsing would round
 * large numbers. `milestones` is `json` and not `jsonb`, because `jsonb` sorts the fields.
 */
const select = (sql: Queryable, description: Part, milestone: Part, more: Part) => sql`
  select campaign.id, creator_id, creator_name, title, coalesce(slug, campaign.id::text) as slug,
         ${description} as description, category, location, status, currency_id as currency,
         target_amount, total.raised as current_amount, total.donations,
         account as ledger_account, chain_id, account_proven_at is not null as account_proven,
         funded_at, ends_at, campaign.created_at, campaign.updated_at,
         case when cover.campaign_id is not null then json_build_object(
           'url', '', 'type', cover.type, 'width', cover.width, 'height', cover.height) end as cover,
         (select coalesce(json_agg(json_build_object(${milestone}) order by position), '[]')
          from milestone where milestone.campaign_id = campaign.id) as milestones ${more}
  from campaign
  join campaign_total total on total.campaign_id = campaign.id
  left join campaign_cover cover on cover.campaign_id = campaign.id`

/** The SELECT for one campaign with complete texts. The caller adds the `where` clause. */
export const selectCampaign = (sql: Queryable) =>
  select(
    sql,
    sql`description`,
    sql`'id', id, 'title', title, 'description', description, 'amount', amount::text,
        'cumulativeAmount', cumulative::text, 'status', status,
        'verificationDocs', verification_docs, 'reachedAt', reached_at,
        'verifiedAt', verified_at, 'releasedAt', released_at`,
    sql`,
         (select json_build_object('packed', terms, 'deployed', ${isDeployed(sql)})
          from campaign_escrow escrow where escrow.campaign_id = campaign.id) as escrow`,
  )

/** The SELECT for lists of campaigns, without long texts. The caller adds the `where` clause. */
export const selectListedCampaign = (sql: Queryable) =>
  select(sql, excerptOf(sql, sql`description`), sql`'id', id, 'status', status`, sql``)

export const toCampaignView = (ctx: Context, { escrow, ...row }: CampaignRow): CampaignView => {
  const decimal = decimalOf(ctx, row)
  const { decimals } = ctx.settings.assets.byId(row.currency)
  return {
    ...toListedCampaign(ctx, row),
    ...(escrow ? { escrow: toCampaignEscrow({ ...escrow, chainId: row.chainId }, decimals) } : {}),
    milestones: row.milestones.map((milestone) => ({
      ...milestone,
      amount: decimal(milestone.amount),
      cumulativeAmount: decimal(milestone.cumulativeAmount),
      reachedAt: dateOf(milestone.reachedAt),
      verifiedAt: dateOf(milestone.verifiedAt),
      releasedAt: dateOf(milestone.releasedAt),
    })),
  }
}

export const toListedCampaign = <T extends SharedView>(ctx: Context, row: T): T => {
  const decimal = decimalOf(ctx, row)
  const url = new URL(`/api/campaigns/${row.id}/cover`, ctx.settings.publicUrl).href
  return {
    ...row,
    currency: ctx.settings.assets.byId(row.currency).symbol,
    targetAmount: decimal(row.targetAmount),
    currentAmount: decimal(row.currentAmount),
    ledgerAccount: toChecksumAddress(row.ledgerAccount),
    cover: row.cover && { ...row.cover, url },
  }
}

const decimalOf = (ctx: Context, { currency }: SharedView) => {
  const { decimals } = ctx.settings.assets.byId(currency)
  return (units: string) => formatUnits(BigInt(units), decimals)
}

const dateOf = (text: string | null): Date | null => (text === null ? null : new Date(text))
