import type { Context } from '../../../db/context.ts'
import { isAdmin } from '../../../kernel/actor.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { formatUnits } from '../../../kernel/money/money.ts'
import { campaignOfTransfer } from '../../books/index.ts'
import { type Page, readPage } from '../../shared/index.ts'
import type { ReportQuery } from './schemas.ts'

/** The amounts of one asset on the chain and in the ledger of a campaign, as decimal texts. */
type AssetReport = {
  asset: string
  symbol: string
  /** The sum of all final transfers to the campaign. */
  received: string
  /** The account's balance on the chain, which can include other income; null if unknown. */
  balance: string | null
  balanceBlock: number | null
  custody: string
  unclaimed: string
  /** The part of custody that belongs to credited donations. */
  credited: string
}

export type CampaignReport = {
  campaignId: string
  title: string
  chainId: number
  account: string
  currentAmount: { value: string; currency: string }
  assets: AssetReport[]
  openDifferences: number
  /** The newest block that the background run compared, and the time when the run last finished. */
  comparedBlock: number | null
  comparedAt: Date | null
}

type CampaignRow = Omit<CampaignReport, 'campaignId' | 'currentAmount' | 'assets'> & {
  id: string
  currencyId: string
  raised: string
}
type AssetRow = Omit<AssetReport, 'asset' | 'symbol'> & { campaignId: string; assetId: string }

/**
 * Reports each campaign's amounts on the chain, in the ledger and in the stored total. The newest
 * campaign is first. Administrators get all campaigns, creators get their own campaigns.
 *
 * @throws DomainError `unauthenticated` without a sign-in; `not_found` if the caller may not see
 *   the campaign in `query`; `invalid_cursor` if the cursor is not from this list
 */
export const getReport = async (
  ctx: Context,
  query: ReportQuery,
): Promise<Page<CampaignReport>> => {
  const { sql, actor } = ctx
  if (actor.kind === 'anonymous') throw new DomainError('unauthenticated', 'Sign in first.')
  const creatorId = actor.kind === 'user' && !isAdmin(actor) ? actor.userId : undefined
  const chosen = sql`
    select id, created_at as at from campaign
    where true
      ${creatorId ? sql`and creator_id = ${creatorId}` : sql``}
      ${query.campaignId ? sql`and id = ${query.campaignId}` : sql``}`
  const page = await readPage(ctx, query, {
    chosen,
    async rowsOf(ids) {
      const rows = await campaignRows(ctx, ids)
      const assets = await listAssets(ctx, rows)
      return rows.map((row) => ({ ...row, assets: assets.get(row.id) ?? [] }))
    },
    toItem: (row) => toReport(ctx, row),
  })
  if (query.campaignId === undefined || page.total !== 0) return page
  throw new DomainError('not_found', 'You have no such campaign.')
}

const campaignRows = ({ sql }: Context, ids: string[]) => sql<CampaignRow[]>`
  select campaign.id, campaign.title, campaign.chain_id, campaign.account, campaign.currency_id,
         coalesce(total.raised, 0)::text as raised,
         (select count(*) from ledger_difference difference
          where difference.resolved_at is null and difference.chain_id = campaign.chain_id
            and (difference.campaign_id = campaign.id
              or (difference.campaign_id is null and difference.account = campaign.account))
         ) as open_differences,
         run.next_block - 1 as compared_block, run.finished_at as compared_at
  from campaign
  left join campaign_total total on total.campaign_id = campaign.id
  left join reconciliation_run run
    on run.chain_id = campaign.chain_id and run.origin = 'job' and run.next_block > run.from_block
  where campaign.id = any(${ids}::uuid[])`

const listAssets = async (
  ctx: Context,
  campaigns: readonly CampaignRow[],
): Promise<Map<string, AssetReport[]>> => {
  const rows = await ctx.sql<AssetRow[]>`
    with wanted as (
      select * from campaign where id = any(${campaigns.map((row) => row.id)}::uuid[])
    ), received as (
      select coalesce(donation.campaign_id, paid.id) as campaign_id, transfer.asset_id,
             sum(transfer.amount) as units
      from (select distinct chain_id, account from wanted) served
      join chain_state state on state.chain_id = served.chain_id
      join chain_transfer transfer
        on transfer.chain_id = served.chain_id and transfer.recipient = served.account
       and transfer.block_number <= state.finalized_number
      left join donation on donation.transfer_id = transfer.id
      left join lateral (${campaignOfTransfer(ctx.sql)}) paid on true
      where coalesce(donation.campaign_id, paid.id) in (select id from wanted)
      group by 1, 2
    ), booked as (
      select ledger.campaign_id, ledger.asset_id,
        sum(case when entry.debit_account = ledger.id then entry.amount else -entry.amount end)
          filter (where ledger.kind = 'custody') as custody,
        sum(case when entry.credit_account = ledger.id then entry.amount else -entry.amount end)
          filter (where ledger.kind = 'unclaimed') as unclaimed
      from ledger_account ledger
      join wanted on wanted.id = ledger.campaign_id
      join ledger_entry entry
        on entry.debit_account = ledger.id or entry.credit_account = ledger.id
      where ledger.kind in ('custody', 'unclaimed')
      group by ledger.campaign_id, ledger.asset_id
    ), credited as (
      select donation.campaign_id,
             coalesce(donation.confirmed_asset_id, donation.declared_asset_id) as asset_id,
             sum(donation.confirmed_amount - coalesce(donation.refunded_amount, 0)) as units
      from donation join wanted on wanted.id = donation.campaign_id
      where donation.status in ('completed', 'partly_refunded', 'refunded')
        and donation.transfer_id is not null
      group by 1, 2
    )
    select campaign_id, asset_id, coalesce(received.units, 0)::text as received,
           held.balance::text as balance, held.block_number as balance_block,
           coalesce(booked.custody, 0)::text as custody,
           coalesce(booked.unclaimed, 0)::text as unclaimed,
           coalesce(credited.units, 0)::text as credited
    from received
    full join booked using (campaign_id, asset_id)
    full join credited using (campaign_id, asset_id)
    join wanted on wanted.id = campaign_id
    left join (select * from account_balance where block_hash <> '') held
      using (chain_id, account, asset_id)
    order by campaign_id, asset_id`
  const reports = new Map<string, AssetReport[]>()
  for (const { campaignId, assetId, ...row } of rows) {
    const asset = ctx.settings.assets.byId(assetId)
    const amount = (units: string) => formatUnits(BigInt(units), asset.decimals)
    const list = reports.get(campaignId) ?? []
    list.push({
      asset: asset.id,
      symbol: asset.symbol,
      received: amount(row.received),
      balance: row.balance === null ? null : amount(row.balance),
      balanceBlock: row.balanceBlock,
      custody: amount(row.custody),
      unclaimed: amount(row.unclaimed),
      credited: amount(row.credited),
    })
    reports.set(campaignId, list)
  }
  return reports
}

const toReport = (
  ctx: Context,
  { id: campaignId, currencyId, raised, ...row }: CampaignRow & Pick<CampaignReport, 'assets'>,
): CampaignReport => {
  const { decimals, symbol } = ctx.settings.assets.byId(currencyId)
  const value = formatUnits(BigInt(raised), decimals)
  return { campaignId, ...row, currentAmount: { value, currency: symbol } }
}
