import type { ComponentChildren } from 'preact'
import { Progress } from '../components/progress.tsx'
import { Timeline } from '../components/timeline.tsx'
import { Hash, Time } from '../components/values.tsx'
import { explorerLink, formatCount, formatMoment, formatMoney } from '../shared/format.ts'
import type { Language } from '../shared/languages.ts'
import { donationTexts } from '../texts/donation/index.ts'
import type { Tracked } from './load-donation.ts'
import { marksOf, STEP_KEYS, type StepKey } from './tracker.ts'

type Props = { tracked: Tracked; lang: Language }

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
    sealed:
      newest &&
      t.facts.seal(formatCount(lang, newest.seq), formatMoment(lang, new Date(newest.sealedAt))),
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
