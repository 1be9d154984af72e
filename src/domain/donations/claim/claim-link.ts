import { randomBytes } from 'node:crypto'
import type { Context } from '../../../db/context.ts'
import { withTransaction } from '../../../db/transaction.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { holdAccount, requireUser } from '../../shared/index.ts'
import { hashOf } from '../donation/claim-token.ts'
import type { DonationView } from '../donation/donation-view.ts'
import { getDonation } from '../donation/read-donations.ts'
import type { ClaimDonation } from '../donation/schemas.ts'

/** A guest's claim link. It is shown only once, because only the hash of its token is stored. */
export type ClaimLinkView = {
  token: string
  /** The token comes after `#` in the link. Browsers do not send this part to a server. */
  url: string
  expiresAt: Date
}

const TTL_MS = 30 * 24 * 60 * 60_000

/** Creates the claim link of a guest's donation, in the caller's transaction. */
export const makeClaimLink = async (ctx: Context, donationId: string): Promise<ClaimLinkView> => {
  const token = randomBytes(32).toString('base64url')
  const expiresAt = new Date(ctx.clock.now().getTime() + TTL_MS)
  await ctx.sql`
    insert into claim_link (token_hash, donation_id, expires_at)
    values (${hashOf(token)}, ${donationId}, ${expiresAt})`
  const url = new URL('/claim', ctx.settings.publicUrl)
  url.hash = token
  return { token, url: url.href, expiresAt }
}

/**
 * Gives a guest's donation to the caller, who has its claim link. A claim link works only once.
 *
 * @throws DomainError `unauthenticated` if no user is signed in, `not_found` for an unknown, used
 *   or expired link, `transfer_already_claimed` if the donation has moved to another account
 */
export const claimDonation = (ctx: Context, { token }: ClaimDonation): Promise<DonationView> =>
  withTransaction(ctx, async (ctx) => {
    const { sql } = ctx
    const { userId } = requireUser(ctx)
    await holdAccount(ctx)
    const [link] = await sql<{ donationId: string }[]>`
      delete from claim_link where token_hash = ${hashOf(token)} and expires_at > ${ctx.clock.now()}
      returning donation_id`
    if (!link) {
      throw new DomainError('not_found', 'This claim link is unknown, used or expired.')
    }
    const claimed = await sql`
      update donation set user_id = ${userId}
      where id = ${link.donationId} and user_id is null
        and (status <> 'failed' or reason not like 'moved_to_%')`
    if (claimed.count === 0) {
      throw new DomainError(
        'transfer_already_claimed',
        'This donation now belongs to another account. If you paid it, link the sending wallet.',
      )
    }
    return getDonation(ctx, link.donationId)
  })

/**
 * Gives the donations of guests that a wallet paid to the user who has just proven to hold the
 * wallet. Does not move unpaid intents, because anyone can name a wallet. Runs in the caller's
 * transaction.
 */
export const claimByWallet = async (
  { sql, settings }: Context,
  userId: string,
  wallet: { address: string; chainId: number; method: string },
): Promise<void> => {
  await sql`
    with claimed as (
      update donation
      set user_id = ${userId}, wallet_proven = true, donor_wallet = ${wallet.address},
          donor_name = case when donor_wallet = ${wallet.address} then donor_name end,
          donor_message = case when donor_wallet = ${wallet.address} then donor_message end,
          type = case when donor_wallet = ${wallet.address} then type end
      where donation.id in (
        select guest.id
        from chain_transfer paid join donation guest on guest.transfer_id = paid.id
        where paid.chain_id = any((select ${settings.assets.chainIds as number[]}::bigint[])::bigint[])
          and paid.sender = ${wallet.address} and guest.user_id is null
          and (${wallet.method === 'ecdsa'} or guest.chain_id = ${wallet.chainId}))
      returning id
    )
    delete from claim_link using claimed where claim_link.donation_id = claimed.id`
}

/** Removes at most `limit` expired links. Returns the number of removed links. */
export const pruneClaimLinks = async (ctx: Context, limit: number): Promise<number> => {
  const pruned = await ctx.sql`
    delete from claim_link where token_hash in (
      select token_hash from claim_link where expires_at <= ${ctx.clock.now()} limit ${limit})`
  return pruned.count
}
