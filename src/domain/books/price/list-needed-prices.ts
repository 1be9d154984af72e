import type { Context } from '../../../db/context.ts'
import type { ChainPrice, MinedTransfer } from '../../../db/schema/chains.ts'
import type { PriceQuestion } from '../../../kernel/money/prices.ts'

/**
 * Lists the feed prices that donations in final blocks need and that are not stored yet. Each pair
 * is listed once per block, the oldest block first. Runs no query for a chain without feeds.
 */
export const listNeededPrices = async (
  ctx: Context,
  chainId: number,
  limit: number,
): Promise<PriceQuestion[]> => {
  const needs = ctx.settings.assets.feedNeeds(chainId)
  if (needs.length === 0) return []
  const rows = await ctx.sql<
    Pick<MinedTransfer & ChainPrice, 'pair' | 'blockNumber' | 'blockHash' | 'minedAt'>[]
  >`
    select need.pair, transfer.block_number, transfer.block_hash, transfer.mined_at
    from chain_state
    join donation on donation.chain_id = chain_state.chain_id
      and donation.block_number <= least(chain_state.finalized_number, chain_state.cursor_number)
    join chain_transfer transfer on transfer.id = donation.transfer_id
    join campaign on campaign.id = donation.campaign_id
    join ${feedNeeds(ctx, chainId)}
      on need."assetId" = transfer.asset_id and need."currencyId" = campaign.currency_id
    where chain_state.chain_id = ${chainId} and donation.status = 'confirming'
      and (donation.next_check_at is null or donation.next_check_at <= ${ctx.clock.now()})
      and ${isUnread(ctx, chainId)}
    group by need.pair, transfer.block_number, transfer.block_hash, transfer.mined_at
    order by transfer.block_number, transfer.block_hash, need.pair
    limit ${limit}`
  return rows.map(({ pair, blockNumber: number, blockHash: hash, minedAt }) => ({
    pair,
    block: { number, hash, minedAt },
  }))
}

/** SQL condition: all feed prices that the rows `transfer` and `campaign` need are stored. */
export const andPricesAreRead = (ctx: Context, chainId: number) =>
  ctx.settings.assets.feedNeeds(chainId).length === 0
    ? ctx.sql``
    : ctx.sql`
    and not exists (
      select from ${feedNeeds(ctx, chainId)}
      where need."assetId" = transfer.asset_id and need."currencyId" = campaign.currency_id
        and ${isUnread(ctx, chainId)})`

/** SQL for a table `need`: the price pairs for conversions of an asset to a currency on a chain. */
export const feedNeeds = ({ sql, settings }: Context, chainId: number) => sql`
  jsonb_to_recordset(${sql.json(settings.assets.feedNeeds(chainId))})
    as need ("assetId" text, "currencyId" text, pair text)`

/** SQL condition: the price of the row `need` in the block of the row `transfer` is not stored. */
const isUnread = ({ sql }: Context, chainId: number) => sql`
  not exists (
    select from chain_price known
    where known.chain_id = ${chainId} and known.pair = need.pair
      and known.block_hash = transfer.block_hash)`
