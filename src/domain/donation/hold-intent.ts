import { mayActFor } from '../../kernel/actor.ts'
import { DomainError } from '../../kernel/errors.ts'
import type { Context } from '../context.ts'
import { type DonationRow, selectDonation } from './rows.ts'

/**
 * An intent of the caller, with its chain locked, so that no payment is matched meanwhile.
 *
 * @throws DomainError `not_found`, `forbidden`, `conflict` for what was recorded with a transaction
 */
export const holdIntent = async (ctx: Context, id: string): Promise<DonationRow> => {
  const { chain_id: chainId } = await readIntent(ctx, id)
  // The lock of `lockChain`. A chain without a row is not followed yet, and nothing is matched on it.
  await ctx.sql`select from chain_state where chain_id = ${chainId} for update`
  return readIntent(ctx, id)
}

const readIntent = async (ctx: Context, id: string): Promise<DonationRow> => {
  const [row] = await ctx.sql<DonationRow[]>`${selectDonation(ctx.sql)} where donation.id = ${id}`
  if (!row) throw new DomainError('not_found', 'There is no such donation.')
  if (!mayActFor(ctx.actor, row.user_id)) {
    throw new DomainError('forbidden', 'Only the donor can change a donation.')
  }
  if (!row.intent) {
    throw new DomainError('conflict', 'This donation was recorded with its transaction.')
  }
  return row
}
