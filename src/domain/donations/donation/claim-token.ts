import { createHash } from 'node:crypto'
import type { Context } from '../../../db/context.ts'

/** Hashes the token of a claim link. A token has 256 random bits, so it needs no salt. */
export const hashOf = (token: string): string =>
  createHash('sha256').update(token, 'utf8').digest('hex')

/** Whether a token is valid for this donation. The token stays valid. */
export const opensDonation = async (
  ctx: Context,
  donationId: string,
  token: string,
): Promise<boolean> => {
  const found = await ctx.sql`
    select from claim_link
    where token_hash = ${hashOf(token)} and donation_id = ${donationId}
      and expires_at > ${ctx.clock.now()}`
  return found.length > 0
}
