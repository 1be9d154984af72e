import type { ComponentChildren } from 'preact'
import type { DonationView } from '../../domain/donations/index.ts'
import { isCreditedStatus } from '../../kernel/statuses.ts'
import { Progress } from '../components/progress.tsx'
import { Banner } from '../components/states.tsx'
import { Timeline } from '../components/timeline.tsx'
import { Hash, Time, WithTime } from '../components/values.tsx'
import { isOpen } from '../load/campaign.ts'
import { offeredMethods } from '../load/payable.ts'
import { TroubleNotice } from '../parts/campaign-parts.tsx'
import { isWorthless } from '../parts/donation-chip.tsx'
import { explorerLink, formatCount, formatMoney } from '../shared/format.ts'
import type { Language } from '../shared/languages.ts'
import { donateTexts } from '../texts/donate/index.ts'
import type { DonationTexts } from '../texts/donation/en.ts'
import { donationTexts } from '../texts/donation/index.ts'
import type { Tracked } from './load-donation.ts'
import {
  fateOf,
  marksOf,
  minutesLeft,
  paidElsewhere,
  reasonOf,
  STEP_KEYS,
  type StepKey,
  stageOf,
} from './tracker.ts'

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
    const paidBack = status === 'refunded' ? t.paidBack : t.partlyPaidBack
    return (
      <>
        <p class="lead">
          {back ? (paidElsewhere(tracked, lang) ?? paidBack(back)) : t.credited(money)}
        </p>
        <p>{proof ? t.proven : t.sealing}</p>
      </>
    )
  }
  const { why, next } = t.reasons[reason]
  const isAwaiting = stageOf(donation) === 'awaiting' && isOpen(campaign)
  const fate = tracked.named && fateOf(tracked.named)
  if (fate && (isAwaiting || (fate === 'claimed' && reason === 'cancelled'))) {
    return <NamedTransaction fate={fate} tracked={tracked} lang={lang} />
  }
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
      {look && (
        <p class="note">
          <WithTime sentence={t.nextLook} at={look} lang={lang} />
        </p>
      )}
    </>
  )
}

type NamedProps = Props & { fate: ReturnType<typeof fateOf> }

/** What became of the transaction that the donor has attached to an unpaid intent. */
const NamedTransaction = ({ fate, tracked, lang }: NamedProps) => {
  const t = donationTexts[lang]
  const { paid } = donateTexts[lang]
  const { why, next } = {
    none: t.named.none,
    found: t.named.found,
    claimed: t.reasons.transfer_already_claimed,
    early: t.reasons.transfer_before_campaign,
  }[fate]
  const holder = tracked.named?.find(({ claimedBy }) => claimedBy !== null)?.claimedBy
  return (
    <>
      <p class="lead">{why}</p>
      <p>{next}</p>
      <p class="without-offer">
        {fate === 'found' && <a href={`/d/${tracked.donation.id}`}>{t.named.show}</a>}
        {fate === 'claimed' && <a href={`/d/${holder}`}>{paid.seeDonation}</a>}
      </p>
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

/** The way of a donation, from the promise to the proof. */
export const DonationSteps = ({ tracked, lang }: Props) => {
  const t = donationTexts[lang]
  const marks = marksOf(tracked.donation, tracked.proof !== null)
  const details = detailsOf(tracked, lang)
  return (
    <Timeline
      items={STEP_KEYS.map((key) => ({
        key,
        mark: marks[key],
        title: t.steps[key],
        markText: t.marks[marks[key]],
        children: marks[key] === 'next' ? undefined : details[key],
      }))}
    />
  )
}

const detailsOf = (
  { donation, chain, proof }: Tracked,
  lang: Language,
): Partial<Record<StepKey, ComponentChildren>> => {
  const t = donationTexts[lang]
  const { transaction, payment, createdAt, completedAt, creditedAmount, confirmedAmount } = donation
  const txHash = transaction?.txHash ?? payment?.txHash
  const newest = proof?.ledger.seals.at(-1)
  return {
    promised: (
      <>
        {formatMoney(lang, donation.declaredAmount)} · <Time at={createdAt} lang={lang} />
      </>
    ),
    sent: txHash && <Hash value={txHash} href={explorerLink(chain, 'tx', txHash)} />,
    in_block: <Confirmations donation={donation} chain={chain} lang={lang} />,
    credited: completedAt && (
      <>
        {formatMoney(lang, creditedAmount ?? confirmedAmount ?? donation.amount)} ·{' '}
        <Time at={completedAt} lang={lang} />
      </>
    ),
    sealed: newest && (
      <WithTime
        sentence={(at) => t.facts.seal(formatCount(lang, newest.seq), at)}
        at={new Date(newest.sealedAt)}
        lang={lang}
      />
    ),
  }
}

type BlockProps = { number: number; chain: Tracked['chain']; lang: Language }

/** The number of a block, with a link to an explorer. */
export const Block = ({ number, chain, lang }: BlockProps) => {
  const href = explorerLink(chain, 'block', number)
  const text = formatCount(lang, number)
  return href === undefined ? (
    text
  ) : (
    <a href={href} rel="noreferrer">
      {text}
    </a>
  )
}

/** The number of the block, and how many blocks the chain has built on it. */
const Confirmations = ({
  donation,
  chain,
  lang,
}: Pick<Tracked, 'donation' | 'chain'> & { lang: Language }) => {
  const t = donationTexts[lang]
  const { transaction, confirmation } = donation
  const block = transaction?.blockNumber
  if (block == null) return null
  const { confirmations = 0, required = null } = confirmation ?? {}
  const isCounting = donation.status === 'confirming' && required !== null
  const count = Math.min(confirmations, required ?? confirmations)
  const label = t.confirmations(formatCount(lang, count), formatCount(lang, required ?? 0))
  return (
    <>
      <p>
        <Block number={block} chain={chain} lang={lang} />
        {isCounting && ` · ${label}`}
      </p>
      {isCounting && (
        <Progress proven="0" waiting={String(count)} target={String(required)} label={label} />
      )}
    </>
  )
}
