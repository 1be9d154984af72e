import type { Context } from '../../../db/context.ts'
import { withTransaction } from '../../../db/transaction.ts'
import { PRICE_FAILURE_REASONS, type PriceFailure } from '../../../kernel/money/prices.ts'
import { lockChainRow } from '../../shared/index.ts'
import { feedNeeds } from './list-needed-prices.ts'

const FIRST_RETRY_MS = 5_000
/** The longest pause between two checks of a donation that waits for a transaction or a price. */
export const LONGEST_RETRY_MS = 600_000

/** SQL for the time of a donation's next check, in an update of `donation`. Pauses double. */
export const nextCheck = (ctx: Context) => ctx.sql`
  ${ctx.clock.now()}::timestamptz + make_interval(secs =>
    least(${FIRST_RETRY_MS} * 2 ^ least(donation.checks, 20), ${LONGEST_RETRY_MS}) / 1000.0)`

/** Postpones the settlement of donations without a price, so that other donations come first. */
export const waitForPrice = async (
  ctx: Context,
  donations: readonly { id: string }[],
): Promise<void> => {
  if (donations.length === 0) return
  ctx.log.warn({ donations: donations.length }, 'final donations wait for a price')
  await ctx.sql`
    update donation
    set reason = 'price_unavailable', checks = checks + 1, next_check_at = ${nextCheck(ctx)}
    where id = any(${donations.map(({ id }) => id)}::uuid[]) and status = 'confirming'`
}

/**
 * Postpones the settlement of donations whose prices could not be read, and stores the reason. If
 * several feeds failed, the alphabetically first reason is stored.
 */
export const postponeUnpriced = async (
  ctx: Context,
  chainId: number,
  failures: readonly PriceFailure[],
): Promise<void> => {
  if (failures.length === 0) return
  await withTransaction(ctx, async (ctx) => {
    await lockChainRow(ctx, chainId)
    await ctx.sql`
      update donation
      set reason = waiting.reason, checks = checks + 1, next_check_at = ${nextCheck(ctx)}
      from (
        select claim.id, min(failure.reason) as reason
        from donation claim
        join chain_transfer transfer on transfer.id = claim.transfer_id
        join campaign on campaign.id = claim.campaign_id
        join ${feedNeeds(ctx, chainId)}
          on need."assetId" = transfer.asset_id and need."currencyId" = campaign.currency_id
        join jsonb_to_recordset(${ctx.sql.json(failures)})
          as failure (pair text, "blockHash" text, reason text)
          on failure.pair = need.pair and bytes_of(failure."blockHash") = transfer.block_hash
        where claim.chain_id = ${chainId} and claim.status = 'confirming'
          and claim.block_number = any(${failures.map((failure) => failure.blockNumber)}::bigint[])
          and (claim.next_check_at is null or claim.next_check_at <= ${ctx.clock.now()})
        group by claim.id
      ) waiting
      where donation.id = waiting.id and donation.status = 'confirming'`
  })
}

/** Counts the donations of a chain that are in a final block, but wait for a price. */
export const countUnpriced = async (ctx: Context, chainId: number): Promise<number> => {
  const [row] = await ctx.sql<{ count: number }[]>`
    select count(*)::int as count from donation
    where chain_id = ${chainId} and status = 'confirming'
      and reason = any(${[...PRICE_FAILURE_REASONS]})`
  return row?.count ?? 0
}
