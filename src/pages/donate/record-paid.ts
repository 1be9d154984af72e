import type { CampaignView } from '../../domain/campaigns/index.ts'
import {
  type DepositView,
  donate,
  findPayments,
  RecordDonation,
  screenDonation,
} from '../../domain/donations/index.ts'
import { parseBody } from '../../edge/request/validate.ts'
import { unlessRefused } from '../../kernel/unless-refused.ts'
import type { Visit } from '../page.ts'
import { hashIn } from '../shared/hash-in.ts'
import { admitDonor, type Recorded, typedAmount, wordsOf } from './record-intent.ts'
import { type Refused, refused } from './refusals.ts'

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
