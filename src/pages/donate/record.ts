import { isVerified } from '../../domain/account/index.ts'
import type { CampaignView } from '../../domain/campaigns/index.ts'
import {
  type ClaimLinkView,
  type DepositView,
  type DonationView,
  donate,
  findPayments,
  RecordDonation,
  RecordIntent,
  screenDonation,
} from '../../domain/donations/index.ts'
import { parseBody } from '../../edge/request/validate.ts'
import { DomainError } from '../../kernel/errors.ts'
import { unlessRefused } from '../../kernel/unless-refused.ts'
import { takesPayments } from '../load/campaign.ts'
import type { Visit } from '../page.ts'
import { hashIn, readAmount } from '../shared/typed.ts'
import { type Refused, refused } from './refusals.ts'

export type Recorded = { donation: DonationView; wallet: string; claim: ClaimLinkView | null }

/** Refuses an account without a confirmed email address, and counts the donations of guests. */
const admitDonor = async ({ ctx, caller, limits }: Visit): Promise<void> => {
  if (!caller) return limits.countNew('guest')
  if (caller.verified || (await isVerified(ctx))) return
  throw new DomainError('email_unverified', 'Confirm your mail address first.')
}

/** The amount of a form, in the language of the page that had the form. */
const typedAmount = ({ form, lang }: Pick<Visit, 'form' | 'lang'>): string =>
  readAmount(form.get('amount') ?? '', form.get('lang') ?? lang)

/** The name and the message of a form. An empty field counts as absent. */
const wordsOf = (form: URLSearchParams): { name?: string; message?: string } => {
  const name = form.get('name')?.trim()
  const message = form.get('message')?.trim()
  return { ...(name && { name }), ...(message && { message }) }
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
  const wallet = form.get('wallet')?.trim() ?? ''
  if (wallet.toLowerCase() === ledgerAccount.toLowerCase()) return refused('ownAccount')
  const input = parseBody(RecordIntent, {
    campaignId,
    amount: { value: typedAmount(visit), currency: form.get('currency') ?? '' },
    donor: { walletAddress: wallet, ...wordsOf(form) },
  })
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
  campaign: Pick<CampaignView, 'id' | 'ledgerAccount'>,
): Promise<Recorded | RefusedPaid> => {
  const { ctx, form, caller } = visit
  const txHash = hashIn(form.get('transaction') ?? '')
  if (txHash === undefined) return refused('transaction')
  const payments = await findPayments(ctx, campaign.id, txHash)
  const [taken] = payments
  const claimed = { ...refused('claimed', 409), claimedBy: taken?.claimedBy ?? undefined }
  // An account may have linked the sending wallet, and then gets the payment.
  const paid = payments.find(({ claimedBy }) => claimedBy === null) ?? (caller ? taken : undefined)
  if (!paid && taken) return claimed
  if (paid?.beforeCampaign) return refused('early', 409)
  const declared = paid ? foundIn(paid) : typedIn(visit)
  if (!paid && declared.amount.value === '') return refused('unknownPayment')
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

type Declared = {
  amount: { value: string; currency: string }
  wallet: string
  position: { logPosition?: number | 'native' }
}

const foundIn = ({ amount, sender, logPosition }: DepositView): Declared => ({
  amount,
  wallet: sender,
  position: logPosition === 'internal' ? {} : { logPosition },
})

const typedIn = (visit: Visit): Declared => ({
  amount: { value: typedAmount(visit), currency: visit.form.get('currency') ?? '' },
  wallet: visit.form.get('wallet')?.trim() ?? '',
  position: {},
})
