import type { Context } from '../../db/context.ts'
import { getProof, lastChange } from '../../domain/books/index.ts'
import { type FoundRefund, findDonationRefund, getCampaign } from '../../domain/campaigns/index.ts'
import { findPayments, getDonation } from '../../domain/donations/index.ts'
import { DomainError } from '../../kernel/errors.ts'
import { isId } from '../../kernel/formats/ids.ts'
import { isCreditedStatus } from '../../kernel/statuses.ts'
import { unlessRefused } from '../../kernel/unless-refused.ts'
import { readHeader } from '../../verifier/index.ts'
import { chainOf, readTrouble } from '../load/campaign.ts'
import { worthOf } from './worth.ts'

/** A donation, and all that its page shows about it. */
export type Tracked = Awaited<ReturnType<typeof trackDonation>>

/**
 * Reads a donation and its campaign. With the token of the claim link, a guest sees their own name
 * and message.
 *
 * @throws DomainError `not_found` if there is no such donation
 */
export const findDonation = async (ctx: Context, id: string, claimToken?: string) => {
  if (!isId(id)) throw new DomainError('not_found', 'There is no such donation.')
  const donation = await getDonation(ctx, id, claimToken)
  return { donation, campaign: await getCampaign(ctx, donation.campaignId) }
}

/** Reads a donation for its pages, as `findDonation` and `trackDonation` do. */
export const loadDonation = async (ctx: Context, id: string) =>
  trackDonation(ctx, await findDonation(ctx, id))

/**
 * Reads where a donation is. `proof` is null until it is ready, `refund` while the escrow gives
 * nothing back. `paidAt` is the time of the block that the proof contains.
 * `named` has the payments of the transaction that was attached to an unpaid intent; null without
 * such a transaction. `changedAt` is the time of the newest ledger entry of the donation.
 */
export const trackDonation = async (
  ctx: Context,
  { donation, campaign }: Awaited<ReturnType<typeof findDonation>>,
) => {
  const { id, status, payment } = donation
  const attached = payment?.received === null ? payment.txHash : null
  const [trouble, proof, refund, named, changedAt] = await Promise.all([
    readTrouble(ctx, campaign.chainId),
    isCreditedStatus(status) ? unlessRefused(getProof(ctx, id), 'proof_not_ready') : null,
    campaign.escrow && OVER.includes(campaign.status) ? findRefund(ctx, id) : null,
    attached === null ? null : findPayments(ctx, campaign.id, attached),
    isCreditedStatus(status) ? lastChange(ctx, id) : null,
  ])
  const chain = chainOf(ctx, campaign)
  const paidAt = proof && new Date(readHeader(proof.block.header).timestamp * 1_000)
  const worth = worthOf(ctx, donation, paidAt)
  const now = ctx.clock.now()
  const known = { ...donation, isProven: proof !== null }
  const read = { trouble, proof, refund, named, changedAt }
  return { donation: known, campaign, chain, ...read, paidAt, worth, now }
}

const findRefund = (ctx: Context, id: string): Promise<FoundRefund | null> =>
  unlessRefused(findDonationRefund(ctx, id), 'conflict', 'campaign_not_failed')

/** The statuses of campaigns whose escrow may give money back. */
const OVER: readonly string[] = ['failed', 'cancelled', 'completed']
