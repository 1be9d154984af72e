import type { PriceQuestion } from '../../kernel/prices.ts'
import type { Context } from '../context.ts'

type NeededRow = { pair: string; blockNumber: number; blockHash: string; minedAt: Date }

/**
 * The unread feed prices that final donations wait for, each pair once per block, oldest block
 * first. Runs no query for a chain without feeds.
 */
export const listNeededPrices = async (
  ctx: Context,
  chainId: number,
  limit: number,
): Promise<PriceQuestion[]> => {
  const needs = feedNeedRows(ctx, chainId)
  if (needs.length === 0) return []
  const rows = await ctx.sql<NeededRow[]>`
    select need.pair, transfer.block_number, transfer.block_hash, transfer.mined_at
    from chain_state
    join donation on donation.chain_id = chain_state.chain_id
      and donation.block_number <= least(chain_state.finalized_number, chain_state.cursor_number)
    join chain_transfer transfer on transfer.id = donation.transfer_id
    join campaign on campaign.id = donation.campaign_id
    join jsonb_to_recordset(${ctx.sql.json(needs)})
      as need (asset_id text, currency_id text, pair text)
      on need.asset_id = transfer.asset_id and need.currency_id = campaign.currency_id
    where chain_state.chain_id = ${chainId} and donation.status = 'confirming'
      and (donation.next_check_at is null or donation.next_check_at <= ${ctx.clock.now()})
      and not exists (
        select from chain_price known
        where known.chain_id = ${chainId} and known.pair = need.pair
          and known.block_hash = transfer.block_hash)
    group by need.pair, transfer.block_number, transfer.block_hash, transfer.mined_at
    order by transfer.block_number, transfer.block_hash, need.pair
    limit ${limit}`
  return rows.map((row) => ({
    pair: row.pair,
    block: { number: row.blockNumber, hash: row.blockHash, minedAt: row.minedAt },
  }))
}

/** A condition over `transfer` and `campaign`: excludes transfers with unread feed prices. */
export const andPricesAreRead = (ctx: Context, chainId: number) => {
  const needs = feedNeedRows(ctx, chainId)
  if (needs.length === 0) return ctx.sql``
  return ctx.sql`
    and not exists (
      select from jsonb_to_recordset(${ctx.sql.json(needs)})
        as need (asset_id text, currency_id text, pair text)
      where need.asset_id = transfer.asset_id and need.currency_id = campaign.currency_id
        and not exists (
          select from chain_price known
          where known.chain_id = ${chainId} and known.pair = need.pair
            and known.block_hash = transfer.block_hash))`
}

/** The feeds that conversions on a chain need, as a table to join. */
export const feedNeedRows = (ctx: Context, chainId: number) =>
  ctx.settings.assets.feedNeeds(chainId).map((need) => ({
    asset_id: need.assetId,
    currency_id: need.currencyId,
    pair: need.pair,
  }))
