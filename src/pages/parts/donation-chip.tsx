import type { DonationView } from '../../domain/donations/index.ts'
import type { DonationStatus } from '../../kernel/statuses.ts'
import { Chip, type Tone } from '../components/states.tsx'
import { formatCount } from '../shared/format.ts'
import type { Language } from '../shared/languages.ts'
import { type CampaignTexts, campaignTexts } from '../texts/campaign/index.ts'

/** The state of a donation as people see it. A state has the same word on all pages. */
export type DonationState = keyof CampaignTexts['donationStates']

const TONES: Record<DonationState, Tone> = {
  promised: 'quiet',
  pending: 'warn',
  confirming: 'info',
  unpriced: 'warn',
  completed: 'info',
  proven: 'good',
  worthless: 'quiet',
  cancelled: 'quiet',
  stopped: 'quiet',
  moved: 'quiet',
  failed: 'bad',
  expired: 'quiet',
  duplicate: 'quiet',
  reversed: 'bad',
  partly_refunded: 'quiet',
  refunded: 'quiet',
}

/** The states that share a status with others, by their reason. */
const BY_REASON: Partial<Record<DonationStatus, Partial<Record<string, DonationState>>>> = {
  confirming: {
    price_unavailable: 'unpriced',
    price_stale: 'unpriced',
    sequencer_down: 'unpriced',
  },
  failed: { cancelled: 'cancelled', moved_to_wallet_owner: 'moved' },
  expired: { another_intent_paid: 'duplicate' },
}

/** The state of a donation. An intent is `promised` until a payment or its hash is known. */
export const stateOf = (donation: DonationView): DonationState => {
  const { status, confirmation, transaction, payment, isProven } = donation
  const isPromise = transaction === null && !payment?.txHash
  const reason = confirmation?.reason ?? ''
  if (isPromise && status === 'pending') return 'promised'
  if (isPromise && status === 'failed' && reason === 'campaign_failed') return 'stopped'
  if (status !== 'completed') return BY_REASON[status]?.[reason] ?? status
  if (isWorthless(donation)) return 'worthless'
  return isProven ? 'proven' : 'completed'
}

/** Whether the payment counts for nothing. Then the ledger has a credit of 0, without a proof. */
export const isWorthless = ({ creditedAmount }: DonationView): boolean =>
  creditedAmount !== null && /^[0.]+$/.test(creditedAmount.value)

type Props = {
  donation: DonationView
  lang: Language
  /** The page of the donation. */
  href?: string
  big?: boolean
}

/** The word for the state of a donation. */
export const DonationChip = ({ donation, lang, ...rest }: Props) => {
  const t = campaignTexts[lang]
  const state = stateOf(donation)
  const { confirmations = 0, required = null } = donation.confirmation ?? {}
  const isCounting = state === 'confirming' && required !== null && confirmations > 0
  return (
    <Chip tone={TONES[state]} {...rest}>
      {isCounting
        ? t.confirming(
            formatCount(lang, Math.min(confirmations, required)),
            formatCount(lang, required),
          )
        : t.donationStates[state]}
    </Chip>
  )
}

/** Whether a donation has ended without a credit. It may come back. */
export const hasFailed = (status: DonationStatus): boolean =>
  status === 'failed' || status === 'expired' || status === 'reversed'

/** Whether the money of a donation does not count now. */
export const isGone = (status: DonationStatus): boolean =>
  status === 'refunded' || hasFailed(status)
