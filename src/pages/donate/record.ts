import { isVerified } from '../../domain/account/index.ts'
import type { CampaignView } from '../../domain/campaigns/index.ts'
import {
  type ClaimLinkView,
  type DepositView,
  type DonationView,
  donate,
  donateInPlace,
  findPayments,
  getDonation,
  listOfferedPayments,
  RecordDonation,
  RecordIntent,
  screenDonation,
} from '../../domain/donations/index.ts'
import { parseBody } from '../../edge/request/validate.ts'
import { DomainError } from '../../kernel/errors.ts'
import { unlessRefused } from '../../kernel/unless-refused.ts'
import { takesPayments } from '../load/campaign.ts'
import { keptDonation } from '../load/donation-cookie.ts'
import type { Visit } from '../page.ts'
import { hashIn } from '../shared/typed.ts'
import {
  type Declared,
  typedIn,
  wordsOf,
  wrongAmount,
  wrongWallet,
  wrongWords,
} from './form-fields.ts'
import { type Refusal, type Refused, refused } from './refusals.ts'

export type Recorded = { donation: DonationView; wallet: string; claim: ClaimLinkView | null }

/** Refuses an account without a confirmed email address, and counts the donations of guests. */
const admitDonor = async ({ ctx, caller, limits }: Visit): Promise<void> => {
  if (!caller) return limits.countNew('guest')
  if (caller.verified || (await isVerified(ctx))) return
  throw new DomainError('email_unverified', 'Confirm your mail address first.')
}

/**
 * Records the intent of a form, as a user or as a guest.
 *
 * @throws DomainError as `parseBody`, `screenDonation` and `donate` do
 */
export const recordIntentOf = async (
  visit: Visit,
  campaign: CampaignView,
): Promise<Recorded | Refused> => {
  const { ctx, form } = visit
  const { id: campaignId, ledgerAccount } = campaign
  if (!takesPayments(campaign, ctx.clock.now())) return refused('closed', 409)
  const { amount, wallet } = typedIn(visit)
  const wrong = [
    ...wrongAmount(visit, campaign, amount),
    ...wrongWords(form),
    ...wrongWallet(wallet, ledgerAccount),
  ]
  if (wrong.length > 0) return refused(wrong)
  const donor = { walletAddress: wallet, ...wordsOf(form) }
  const input = parseBody(RecordIntent, { campaignId, amount, donor })
  await admitDonor(visit)
  return { ...(await donate(ctx, await screenDonation(ctx, input))), wallet }
}

/** A refusal, with the donation that already has the payment. */
export type RefusedPaid = Refused & { claimedBy?: string | undefined }

/**
 * Records a donation that the visitor has already paid. Takes amount and wallet from the blocks, or
 * from the form while no block has the transaction.
 *
 * @throws DomainError as `parseBody`, `screenDonation` and `donate` do
 */
export const recordPaid = async (
  visit: Visit,
  campaign: CampaignView,
): Promise<Recorded | RefusedPaid> => {
  const { ctx, form, caller } = visit
  const txHash = hashIn(form.get('transaction') ?? '')
  const payments = txHash === undefined ? [] : await findPayments(ctx, campaign.id, txHash)
  const [taken] = payments
  const claimed = { ...refused('claimed', 409), claimedBy: taken?.claimedBy ?? undefined }
  // An account may have linked the sending wallet, and then gets the payment.
  const paid = payments.find(({ claimedBy }) => claimedBy === null) ?? (caller ? taken : undefined)
  if (!paid && taken) return claimed
  if (paid?.beforeCampaign) return refused('early', 409)
  const declared = paid ? foundIn(paid) : typedIn(visit)
  const { amount, wallet: from } = declared
  const isKnown = txHash !== undefined
  const noAmount: Refusal[] = isKnown ? ['unknownPayment'] : []
  const wrong: Refusal[] = [
    ...(isKnown ? [] : (['transaction'] as const)),
    ...(paid ? [] : amount.value === '' ? noAmount : wrongAmount(visit, campaign, amount)),
    ...(paid || (from === '' && !isKnown) ? [] : wrongWallet(from, campaign.ledgerAccount)),
    ...wrongWords(form),
  ]
  if (wrong.length > 0) return refused(wrong)
  const input = parseBody(RecordDonation, {
    campaignId: campaign.id,
    amount: declared.amount,
    transaction: { txHash, ledgerAddress: campaign.ledgerAccount, ...declared.position },
    donor: { walletAddress: declared.wallet, ...wordsOf(form) },
  })
  const wallet = input.donor?.walletAddress ?? ''
  await admitDonor(visit)
  const making = donate(ctx, await screenDonation(ctx, input))
  const made = await (caller ? unlessRefused(making, 'transfer_already_claimed') : making)
  return made ? { ...made, wallet } : claimed
}

const foundIn = ({ amount, sender, logPosition }: DepositView): Declared => ({
  amount,
  wallet: sender,
  position: logPosition === 'internal' ? {} : { logPosition },
})

/**
 * Makes a payment a donation, if it is offered to the donor of the donation `id`. The new donation
 * replaces an unpaid intent, and has its words. A second payment has only the name of the first.
 *
 * @throws DomainError as `parseBody`, `screenDonation`, `donateInPlace` and `donate` do
 */
export const recordOffered = async (visit: Visit, id: string): Promise<Recorded | Refused> => {
  const { ctx, form } = visit
  const claimToken = keptDonation(visit)?.claimToken
  const donation = await getDonation(ctx, id, claimToken)
  const { campaignId, payment, donor } = donation
  const offered = await listOfferedPayments(ctx, donation, claimToken)
  const paid = offered.find((one) => one.id === form.get('payment'))
  if (!paid) return refused('claimed', 409)
  const { amount, wallet, position } = foundIn(paid)
  const isInPlace = payment !== null && payment.received === null
  const { name, message } = (donor?.hidden ? null : donor) ?? {}
  const input = parseBody(RecordDonation, {
    campaignId,
    amount,
    transaction: { txHash: paid.txHash, ledgerAddress: paid.account, ...position },
    donor: {
      walletAddress: wallet,
      ...(name && { name }),
      ...(isInPlace && message && { message }),
    },
  })
  await admitDonor(visit)
  const screened = await screenDonation(ctx, input)
  const made = isInPlace
    ? await donateInPlace(ctx, id, screened, claimToken)
    : await donate(ctx, screened)
  return { ...made, wallet }
}
