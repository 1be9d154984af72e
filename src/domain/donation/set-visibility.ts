import { withTransaction } from '../../db/transaction.ts'
import { mayActFor } from '../../kernel/actor.ts'
import { DomainError } from '../../kernel/errors.ts'
import type { Context } from '../context.ts'
import { holdAccount } from '../hold-account.ts'
import type { DonationView } from './donation-view.ts'
import { getDonation } from './get-donation.ts'
import { type DonationRow, selectDonation } from './rows.ts'
import type { SetVisibility } from './schemas.ts'

/**
 * Hides name and message of a donor from the public, or shows them again. For the campaign's
 * creator and administrators.
 *
 * @throws DomainError `not_found`, `forbidden`
 */
export const setVisibility = (
  ctx: Context,
  id: string,
  { hidden }: SetVisibility,
): Promise<DonationView> =>
  withTransaction(ctx, async (ctx) => {
    await holdAccount(ctx)
    const [row] = await ctx.sql<DonationRow[]>`${selectDonation(ctx.sql)} where donation.id = ${id}`
    if (!row) throw new DomainError('not_found', 'There is no such donation.')
    if (!mayActFor(ctx.actor, row.creatorId ?? null)) {
      throw new DomainError('forbidden', 'Only the creator of the campaign hides a message.')
    }
    await ctx.sql`update donation set donor_hidden = ${hidden} where id = ${id}`
    return getDonation(ctx, id)
  })
