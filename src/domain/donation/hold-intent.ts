import { DomainError } from '../../kernel/errors.ts'
import type { Context } from '../context.ts'
import { readOwnDonation } from './own-donation.ts'
import type { DonationRow } from './rows.ts'

/**
 * An intent of the caller, or of the guest who has its claim link, with its chain locked, so that
 * no payment is matched meanwhile.
 *
 * @throws DomainError `not_found`, `unauthenticated`, `forbidden`, `conflict` for what was recorded
 *   with a transaction
 */
export const holdIntent = async (
  ctx: Context,
  id: string,
  claimToken?: string,
): Promise<DonationRow> => {
  const { chainId } = await readIntent(ctx, id, claimToken)
  // The lock of `lockChainRow`. A chain without a row was never indexed, so nothing is matched.
  await ctx.sql`select from chain_state where chain_id = ${chainId} for update`
  return readIntent(ctx, id, claimToken)
}

const readIntent = async (ctx: Context, id: string, claimToken?: string): Promise<DonationRow> => {
  const row = await readOwnDonation(ctx, id, claimToken)
  if (row.intent) return row
  throw new DomainError('conflict', 'This donation was recorded with its transaction.')
}
