import type { DonationView } from '../../domain/donations/index.ts'
import { isCreditedStatus } from '../../kernel/statuses.ts'
import { Banner } from '../components/states.tsx'
import { isOpen } from '../load/campaign.ts'
import { offeredMethods } from '../load/payable.ts'
import { TroubleNotice } from '../parts/campaign-parts.tsx'
import { formatCount, formatMoment, formatMoney } from '../shared/format.ts'
import type { Language } from '../shared/languages.ts'
import type { DonationTexts } from '../texts/donation/en.ts'
import { donationTexts } from '../texts/donation/index.ts'
import type { Tracked } from './load-donation.ts'
import { isWorthless, minutesLeft, reasonOf, stageOf } from './tracker.ts'

type Props = { tracked: Tracked; lang: Language }

/** Where the donation is, why, and what happens next. */
export const DonationState = ({ tracked, lang }: Props) => {
  const { donation, trouble } = tracked
  const isWaiting = donation.status === 'pending' || donation.status === 'confirming'
  return (
    <div class="donation-state" data-stage={stageOf(donation)}>
      <Sentence tracked={tracked} lang={lang} />
      {notesOf(donation, lang).map((note) => (
        <p key={note}>{note}</p>
      ))}
      {isWaiting && <TroubleNotice trouble={trouble} lang={lang} />}
    </div>
  )
}

const Sentence = ({ tracked, lang }: Props) => {
  const { donation, campaign, proof } = tracked
  const t = donationTexts[lang]
  const { status, creditedAmount, refundedAmount, confirmation, payment } = donation
  const reason = reasonOf(donation)
  if (reason === null && !isCreditedStatus(status)) {
    const block = formatCount(lang, confirmation?.blockNumber ?? 0)
    return <p class="lead">{t.confirming(block, minutesLeft(campaign.chainId, donation))}</p>
  }
  if (isWorthless(donation)) return <p class="lead">{t.worthless}</p>
  if (reason === null) {
    const money = formatMoney(lang, creditedAmount ?? donation.amount)
    const back = refundedAmount && formatMoney(lang, refundedAmount)
    const isBack = status === 'refunded'
    return (
      <>
        <p class="lead">
          {back ? (isBack ? t.paidBack(back) : t.partlyPaidBack(back)) : t.credited(money)}
        </p>
        <p>{proof ? t.proven : t.sealing}</p>
      </>
    )
  }
  const { why, next } = t.reasons[reason]
  if (status === 'failed' || status === 'reversed') {
    return (
      <Banner tone="bad" title={why}>
        {next}
      </Banner>
    )
  }
  const isRecorded = !payment || offeredMethods(payment)?.length !== 0
  const refused = isOpen(campaign) ? !isRecorded && t.unrecorded : t.closed
  const look = status === 'pending' && donation.transaction ? confirmation?.nextCheckAt : null
  return (
    <>
      <p class="lead">{why}</p>
      <p>{(reason === 'waiting_for_payment' && refused) || next}</p>
      {look && <p class="note">{t.nextLook(formatMoment(lang, look))}</p>}
    </>
  )
}

/** What is special about the payment. */
const notesOf = (donation: DonationView, lang: Language): string[] => {
  const t = donationTexts[lang].notes
  const { payment, transaction, status } = donation
  return [
    amountNote(donation, lang, t),
    payment?.late ? t.late : null,
    transaction?.originalTxHash && status !== 'failed' ? t.replaced : null,
  ].filter((note) => note !== null)
}

const amountNote = (
  { payment, transaction, declaredAmount, confirmedAmount, discrepancy }: DonationView,
  lang: Language,
  t: DonationTexts['notes'],
): string | null => {
  if (confirmedAmount === null || transaction?.blockNumber == null) return null
  const declared = formatMoney(lang, declaredAmount)
  const arrived = formatMoney(lang, confirmedAmount)
  const state = payment?.state
  if (state === 'under' || state === 'over' || state === 'other_asset') {
    return t[state](declared, arrived)
  }
  return discrepancy ? t.discrepancy(declared, arrived) : null
}
