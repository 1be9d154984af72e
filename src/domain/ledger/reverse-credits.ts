import type { Context } from '../context.ts'

/**
 * Takes back every credit of these transfers that stands, line for line with its sides swapped.
 * Nothing is deleted, and the database refuses a second reversal of one entry.
 */
export const reverseCredits = async (
  ctx: Context,
  transferIds: readonly string[],
): Promise<number> => {
  if (transferIds.length === 0) return 0
  const rows = await ctx.sql`
    insert into ledger_entry
      (kind, debit_account, credit_account, asset_id, amount, campaign_id, donation_id,
       transfer_id, generation, block_number, block_hash, reverses, created_at)
    select 'reversal', entry.credit_account, entry.debit_account, entry.asset_id, entry.amount,
           entry.campaign_id, entry.donation_id, entry.transfer_id, entry.generation,
           entry.block_number, entry.block_hash, entry.id, ${ctx.clock.now()}
    from ledger_entry entry
    where entry.transfer_id = any(${transferIds as string[]}::uuid[])
      and entry.kind in ('donation', 'conversion')
      and not exists (select from ledger_entry taken where taken.reverses = entry.id)
    order by entry.id
    returning 1`
  return rows.length
}
