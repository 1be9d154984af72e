import { isVerified } from '../../domain/account/index.ts'
import type { CampaignView } from '../../domain/campaigns/index.ts'
import {
  type ClaimLinkView,
  type DonationView,
  preparePayment,
  RecordIntent,
  recordAsGuest,
  recordIntent,
  screenDonation,
} from '../../domain/donations/index.ts'
import { parseBody } from '../../edge/request/validate.ts'
import { DomainError } from '../../kernel/errors.ts'
import { takesPayments } from '../load/campaign.ts'
import type { Visit } from '../page.ts'
import { readAmount } from '../shared/typed-amount.ts'
import { type Refused, refused } from './refusals.ts'

export type Recorded = { donation: DonationView; wallet: string; claim: ClaimLinkView | null }

/** Refuses an account without a confirmed email address, and counts the donations of guests. */
export const admitDonor = async ({ ctx, caller, limits }: Visit): Promise<void> => {
  if (!caller) return limits.countNew('guest')
  if (caller.verified || (await isVerified(ctx))) return
  throw new DomainError('email_unverified', 'Confirm your mail address first.')
}

/** The amount of a form, in the language of the page that had the form. */
export const typedAmount = ({ form, lang }: Pick<Visit, 'form' | 'lang'>): string =>
  readAmount(form.get('amount') ?? '', form.get('lang') ?? lang)

/** The name and the message of a form. An empty field counts as absent. */
export const wordsOf = (form: URLSearchParams): { name?: string; message?: string } => {
  const name = form.get('name')?.trim()
  const message = form.get('message')?.trim()
  return { ...(name && { name }), ...(message && { message }) }
}

/**
 * Records the intent of a form, as a user or as a guest.
 *
 * @throws DomainError as `parseBody`, `recordIntent`, `recordAsGuest` and `screenDonation` do
 */
export const recordIntentOf = async (
  visit: Visit,
  campaign: CampaignView,
): Promise<Recorded | Refused> => {
  const { ctx, form, caller } = visit
  const { id: campaignId, ledgerAccount } = campaign
  if (!takesPayments(campaign, ctx.clock.now())) return refused('closed', 409)
  const wallet = form.get('wallet')?.trim() ?? ''
  if (wallet.toLowerCase() === ledgerAccount.toLowerCase()) return refused('ownAccount')
  const input = parseBody(RecordIntent, {
    campaignId,
    amount: { value: typedAmount(visit), currency: form.get('currency') ?? '' },
    donor: { walletAddress: wallet, ...wordsOf(form) },
  })
  await admitDonor(visit)
  await screenDonation(ctx, input)
  await preparePayment(ctx, campaignId)
  if (!caller) return { ...(await recordAsGuest(ctx, input)), wallet }
  return { donation: await recordIntent(ctx, input), wallet, claim: null }
}
