import { DomainError } from '../../kernel/errors.ts'
import type { Context } from '../context.ts'
import { type DonationView, toDonationView } from './donation-view.ts'
import { type DonationRow, selectDonation } from './rows.ts'

/** One donation, with its donor only for those who may know. Throws DomainError `not_found`. */
export const getDonation = async (ctx: Context, id: string): Promise<DonationView> => {
  const [row] = await ctx.sql<DonationRow[]>`${selectDonation(ctx.sql)} where donation.id = ${id}`
  if (!row) throw new DomainError('not_found', 'There is no such donation.')
  return toDonationView(ctx, row)
}
