import { mayActFor } from '../../kernel/actor.ts'
import { DomainError } from '../../kernel/errors.ts'
import type { Context } from '../context.ts'
import { opensDonation } from './claim-link.ts'
import { type DonationRow, selectDonation } from './rows.ts'

/**
 * An intent of the caller, or of the guest who has its claim link, with its chain locked, so that no payment is matched meanwhile.
 *
 * @throws DomainError `not_found`, `unauthenticated`, `forbidden`, `conflict` for what was recorded with a transaction
 */
export const holdIntent = async (
  ctx: Context,
  id: string,
  claimToken?: string,
): Promise<DonationRow> => {
  const { chain_id: chainId } = await readIntent(ctx, id, claimToken)
  // The lock of `lockChain`. A chain without a row is not followed yet, and nothing is matched on it.
  await ctx.sql`select from chain_state where chain_id = ${chainId} for update`
  return readIntent(ctx, id, claimToken)
}

const readIntent = async (ctx: Context, id: string, claimToken?: string): Promise<DonationRow> => {
  const [row] = await ctx.sql<DonationRow[]>`${selectDonation(ctx.sql)} where donation.id = ${id}`
  if (!row) throw new DomainError('not_found', 'There is no such donation.')
  if (ctx.actor.kind === 'anonymous' && claimToken === undefined) {
    throw new DomainError('unauthenticated', 'Sign in, or send the token of the claim link.')
  }
  const isGuest = row.user_id === null && claimToken !== undefined
  const mayChange = isGuest
    ? await opensDonation(ctx, id, claimToken)
    : mayActFor(ctx.actor, row.user_id)
  if (!mayChange) {
    throw new DomainError('forbidden', 'Only the donor can change a donation.')
  }
  if (!row.intent) {
    throw new DomainError('conflict', 'This donation was recorded with its transaction.')
  }
  return row
}
