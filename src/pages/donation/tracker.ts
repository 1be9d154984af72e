import {
  type DepositView,
  DONATION_REASONS,
  type DonationView,
} from '../../domain/donations/index.ts'
import { networkOf } from '../../kernel/networks.ts'
import { isCreditedStatus } from '../../kernel/statuses.ts'
import { hasFailed, isWorthless } from '../parts/donation-chip.tsx'
import { formatMoney, shorten } from '../shared/format.ts'
import type { Language } from '../shared/languages.ts'
import { type DonationTexts, en } from '../texts/donation/en.ts'
import { donationTexts } from '../texts/donation/index.ts'
import type { Tracked } from './load-donation.ts'

/** The steps of a donation, in their order. */
export type StepKey = keyof DonationTexts['steps']
export const STEP_KEYS = Object.keys(en.steps) as StepKey[]

/** Donations that only wait for finality have a sentence of their own. */
type DonationReason = Exclude<(typeof DONATION_REASONS)[number], 'waiting_for_finality'>

type Mark = 'done' | 'now' | 'next' | 'bad'

/** Marks each step: what is done, what runs now, and what did not happen. */
export const marksOf = (donation: DonationView, isProven: boolean): Record<StepKey, Mark> => {
  const { status, transaction } = donation
  const isCredited = isCreditedStatus(status)
  const isDone: Record<StepKey, boolean> = {
    promised: true,
    // A hash that a donor has attached to an intent may be wrong.
    sent: transaction !== null || status === 'reversed',
    in_block: transaction?.blockNumber != null,
    credited: isCredited,
    sealed: isProven,
    proven: isProven,
  }
  const open = STEP_KEYS.find((key) => !isDone[key])
  const bad = hasFailed(status) || isWorthless(donation) ? open : undefined
  const markOf = (key: StepKey): Mark => {
    if (key === bad) return 'bad'
    if (isDone[key]) return 'done'
    return key === open && bad === undefined ? 'now' : 'next'
  }
  return Object.fromEntries(STEP_KEYS.map((key) => [key, markOf(key)])) as Record<StepKey, Mark>
}

/** Why a donation waits or has ended; null for a credit, and while only finality is missing. */
export const reasonOf = ({
  status,
  confirmation,
  transaction,
}: DonationView): DonationReason | null => {
  if (isCreditedStatus(status)) return null
  const stored = confirmation?.reason
  const reason = isReason(stored) ? stored : null
  if (status === 'confirming') return reason
  const usual = transaction === null ? 'waiting_for_payment' : 'waiting_for_transaction'
  return reason === null || reason === 'waiting_for_payment' ? usual : reason
}

/** A donation in a block may have a reason without a text, until its payment was compared. */
const isReason = (reason: string | null | undefined): reason is DonationReason =>
  reason !== 'waiting_for_finality' && DONATION_REASONS.some((known) => known === reason)

/** The minutes until the donation's block is usually final, at least 1; null if unknown. */
export const minutesLeft = (chainId: number, donation: DonationView): number | null => {
  const { confirmations = 0, required = null } = donation.confirmation ?? {}
  const network = networkOf(chainId)
  if (!network || required === null) return null
  const blocks = Math.max(0, required - confirmations)
  return Math.max(1, Math.ceil((blocks * network.blockTimeMs) / 60_000))
}

/** The state for styles. They show the check if credited, and how to pay if awaiting. */
export const stageOf = (donation: DonationView): 'credited' | 'awaiting' | 'other' => {
  const { status, payment } = donation
  if (isWorthless(donation)) return 'other'
  if (isCreditedStatus(status)) return 'credited'
  const mayBePaid = status === 'pending' || status === 'expired'
  return mayBePaid && payment?.state === 'awaiting' ? 'awaiting' : 'other'
}

/** The sentence about a refund that went to another account than the sender; null for others. */
export const paidElsewhere = (
  { donation, refund }: Pick<Tracked, 'donation' | 'refund'>,
  lang: Language,
): string | null => {
  if (!refund?.isElsewhere || !refund.receiver || !donation.refundedAmount) return null
  const money = formatMoney(lang, donation.refundedAmount)
  return donationTexts[lang].paidElsewhere(money, shorten(refund.receiver))
}

/** What became of a transaction that was attached to an unpaid intent, by its known payments. */
export const fateOf = (
  payments: readonly Pick<DepositView, 'claimedBy' | 'beforeCampaign'>[],
): 'none' | 'claimed' | 'early' | 'found' => {
  const free = payments.filter(({ claimedBy }) => claimedBy === null)
  if (free.length === 0) return payments.length === 0 ? 'none' : 'claimed'
  return free.every(({ beforeCampaign }) => beforeCampaign) ? 'early' : 'found'
}
