import { mayActFor } from '../../kernel/actor.ts'
import { DomainError } from '../../kernel/errors.ts'
import type { Context } from '../context.ts'
import { opensDonation } from './claim-link.ts'
import { type DonationRow, selectDonation } from './rows.ts'

/**
 * A donation of the caller, or of the guest who has its claim link.
 *
 * @throws DomainError `not_found`, `unauthenticated`, `forbidden`
 */
export const readOwnDonation = async (
  ctx: Context,
  id: string,
  claimToken?: string,
): Promise<DonationRow> => {
  const [row] = await ctx.sql<DonationRow[]>`${selectDonation(ctx.sql)} where donation.id = ${id}`
  if (!row) throw new DomainError('not_found', 'There is no such donation.')
  if (ctx.actor.kind === 'anonymous' && claimToken === undefined) {
    throw new DomainError('unauthenticated', 'Sign in, or send the token of the claim link.')
  }
  const isGuest = row.userId === null && claimToken !== undefined
  const mayChange = isGuest
    ? await opensDonation(ctx, id, claimToken)
    : mayActFor(ctx.actor, row.userId)
  if (mayChange) return row
  throw new DomainError('forbidden', 'Only the donor can change a donation.')
}
