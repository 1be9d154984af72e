import type { Context } from '../../../db/context.ts'

/**
 * Reverses the credits and deposits of these transfers, the newest entry first. A reversal is a new
 * entry with swapped accounts. The caller increases the generation of the transfers, because a
 * transfer can be posted only once in each generation.
 */
export const reverseCredits = async (
  ctx: Context,
  transferIds: readonly string[],
): Promise<number> => {
  if (transferIds.length === 0) return 0
  const entries = await ctx.sql<{ id: number }[]>`
    select id from standing_entry
    where transfer_id = any(${transferIds as string[]}::uuid[])
      and kind in ('deposit', 'donation', 'conversion')`
  const ids = entries.map((entry) => entry.id)
  return reverseEntries(ctx, ids)
}

/** Reverses all entries that these events of escrows have caused, the newest entry first. */
export const reverseEscrowEntries = async (
  ctx: Context,
  escrowEventIds: readonly string[],
): Promise<number> => {
  if (escrowEventIds.length === 0) return 0
  const entries = await ctx.sql<{ id: number }[]>`
    select id from standing_entry
    where escrow_event_id = any(${escrowEventIds as string[]}::uuid[]) and kind <> 'reversal'`
  const ids = entries.map((entry) => entry.id)
  return reverseEntries(ctx, ids)
}

/** Reverses single entries, the newest first. Returns the number of reversed entries. */
export const reverseEntries = async (
  ctx: Context,
  entryIds: readonly number[],
): Promise<number> => {
  if (entryIds.length === 0) return 0
  const reversed = await ctx.sql`
    insert into ledger_entry
      (kind, debit_account, credit_account, asset_id, amount, campaign_id, donation_id,
       transfer_id, escrow_event_id, generation, block_number, block_hash, reverses, created_at)
    select 'reversal', entry.credit_account, entry.debit_account, entry.asset_id, entry.amount,
           entry.campaign_id, entry.donation_id, entry.transfer_id,
           entry.escrow_event_id, entry.generation, entry.block_number, entry.block_hash, entry.id, ${ctx.clock.now()}
    from ledger_entry entry
    where entry.id = any(${entryIds as number[]}::bigint[])
    order by entry.id desc`
  return reversed.count
}
