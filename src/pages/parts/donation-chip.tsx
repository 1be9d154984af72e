import type { DonationView } from '../../domain/donations/index.ts'
import type { DonationStatus } from '../../kernel/statuses.ts'
import { Chip, type Tone } from '../components/states.tsx'
import { formatCount } from '../shared/format.ts'
import type { Language } from '../shared/languages.ts'
import { campaignTexts } from '../texts/campaign/index.ts'

const TONES: Record<DonationStatus, Tone> = {
  pending: 'warn',
  confirming: 'info',
  completed: 'good',
  failed: 'bad',
  expired: 'quiet',
  reversed: 'bad',
  partly_refunded: 'quiet',
  refunded: 'quiet',
}

type Props = {
  donation: Pick<DonationView, 'status' | 'confirmation' | 'transaction'>
  lang: Language
  /** The page of the donation. */
  href?: string
  big?: boolean
}

/** The state of a donation. An intent without a payment is `promised`. */
export const DonationChip = ({ donation, lang, ...rest }: Props) => {
  const t = campaignTexts[lang]
  const { status, confirmation, transaction } = donation
  if (status === 'pending' && !transaction) {
    return (
      <Chip tone="quiet" {...rest}>
        {t.donationStates.promised}
      </Chip>
    )
  }
  const { confirmations = 0, required = null } = confirmation ?? {}
  const isCounting = status === 'confirming' && required !== null && confirmations > 0
  return (
    <Chip tone={TONES[status]} {...rest}>
      {isCounting
        ? t.confirming(
            formatCount(lang, Math.min(confirmations, required)),
            formatCount(lang, required),
          )
        : t.donationStates[status]}
    </Chip>
  )
}

/** Whether a donation has ended without a credit. It may come back. */
export const hasFailed = (status: DonationStatus): boolean =>
  status === 'failed' || status === 'expired' || status === 'reversed'

/** Whether the money of a donation does not count now. */
export const isGone = (status: DonationStatus): boolean =>
  status === 'refunded' || hasFailed(status)
