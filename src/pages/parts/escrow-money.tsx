import type { BookedBlock, CampaignView, EscrowFigures } from '../../domain/campaigns/index.ts'
import { Banner } from '../components/states.tsx'
import { Time } from '../components/values.tsx'
import {
  add,
  formatAmount,
  formatCount,
  formatDay,
  formatMoney,
  shareOf,
  subtract,
} from '../shared/format.ts'
import type { Language } from '../shared/languages.ts'
import { unitsOf } from '../shared/typed.ts'
import { campaignTexts } from '../texts/campaign/index.ts'
import { escrowTexts } from '../texts/escrow/index.ts'

/** A part of an escrow's money. It has the same look in the bar and beside its name. */
export type MoneyPart = { name: 'released' | 'locked' | 'refundable' | 'back'; value: string }

/** Whether a rest is as small as rounding leaves it: less than one unit of each share. */
const isDust = (value: string, { decimals }: EscrowFigures, donations: number): boolean =>
  (unitsOf(value, decimals) ?? 0n) <= BigInt(donations)

/** What became of all money that came into an escrow. The parts add up to `received`. */
export const moneyOf = (escrow: EscrowFigures, donations: number) => {
  const { released, refunded, state } = escrow
  const held = escrow.balance?.value ?? '0'
  const hasFailed = state === 'failed'
  const parts: MoneyPart[] = [
    { name: 'released', value: released },
    hasFailed ? { name: 'back', value: refunded } : { name: 'locked', value: held },
    { name: 'refundable', value: hasFailed ? held : '0' },
  ]
  const received = add(add(held, released), refunded)
  return {
    parts,
    held,
    received,
    hasFailed,
    isDust: escrow.collectable === '0' && isDust(held, escrow, donations),
  }
}

type BarProps = { parts: readonly MoneyPart[]; label: string; thin?: boolean }

/** The parts as a bar: full, hatched, blue and empty, so that it can be read without colour. */
export const MoneyBar = ({ parts, label, thin = false }: BarProps) => {
  const all = parts.reduce((sum, { value }) => add(sum, value), '0')
  // A page may have two bars, and each needs a pattern with an id of its own.
  const hatch = thin ? 'hatch-thin' : 'hatch'
  let sum = '0'
  let x = 0
  return (
    <svg class={thin ? 'money-bar money-bar-thin' : 'money-bar'} role="img" aria-label={label}>
      <pattern
        id={hatch}
        width="6"
        height="6"
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(45)"
      >
        <rect class="hatch-ground" width="6" height="6" />
        <path class="hatch-line" d="M0 0V6" />
      </pattern>
      {parts.map(({ name, value }) => {
        const from = x
        sum = add(sum, value)
        x = shareOf(sum, all)
        return (
          <rect
            key={name}
            class={`part-${name}`}
            x={`${from / 10}%`}
            width={`${(x - from) / 10}%`}
            height="100%"
            fill={name === 'locked' ? `url(#${hatch})` : undefined}
          />
        )
      })}
    </svg>
  )
}

/** The name of a part, with the look that the part has in the bar. */
const PartName = ({ name, lang }: { name: MoneyPart['name']; lang: Language }) => (
  <>
    <span class={`swatch swatch-${name}`} />
    {namesOf(lang)[name]}
  </>
)

const namesOf = (lang: Language): Record<MoneyPart['name'], string> => {
  const { released, locked, refunded: back } = campaignTexts[lang]
  return { released, locked, back, refundable: escrowTexts[lang].money.refundable }
}

/** The bar in words. */
export const barLabel = (parts: readonly MoneyPart[], currency: string, lang: Language): string =>
  parts
    .map(({ name, value }) => `${namesOf(lang)[name]}: ${formatMoney(lang, { value, currency })}`)
    .join(', ')

type Props = {
  campaign: Pick<CampaignView, 'currentAmount' | 'donations' | 'slug'>
  escrow: EscrowFigures
  now: Date
  lang: Language
}

/** Where all money of an escrow is: the bar, its parts, and a sum that everybody can redo. */
export const EscrowMoney = ({ campaign, escrow, now, lang }: Props) => {
  const { money: t } = escrowTexts[lang]
  const { currency, refunded } = escrow
  const { parts, received } = moneyOf(escrow, campaign.donations)
  const money = (value: string) => formatMoney(lang, { value, currency })
  // Refunds lower the donations that they pay back.
  const unassigned = subtract(subtract(received, refunded), campaign.currentAmount)
  const sum = parts.map(({ value }) => formatAmount(lang, value)).join(' + ')
  return (
    <>
      <MoneyBar parts={parts} label={barLabel(parts, currency, lang)} />
      <dl class="money-parts">
        {parts.map(({ name, value }) => (
          <div key={name}>
            <dt>
              <PartName name={name} lang={lang} />
            </dt>
            <dd class="money-sum">{money(value)}</dd>
            <dd class="note">
              {sentenceOf(name, { campaign, escrow, now, lang })}{' '}
              {name === 'back' && value !== '0' && (
                <a href={`/c/${campaign.slug}/ledger`}>{campaignTexts[lang].ledger}</a>
              )}
            </dd>
          </div>
        ))}
      </dl>
      <p class="money-total">
        {t.sum({ parts: sum, total: money(received) })}{' '}
        {unassigned !== '0' && t.unassigned(money(unassigned))}
      </p>
    </>
  )
}

/** What has become of a part, or what can happen with it next. */
const sentenceOf = (name: MoneyPart['name'], { campaign, escrow, now, lang }: Props): string => {
  const { money: t } = escrowTexts[lang]
  const { state, milestones, releasedMilestones, activateBy, expiry, refunded } = escrow
  const { held, isDust, hasFailed } = moneyOf(escrow, campaign.donations)
  const isOver = now > (state === 'funding' ? activateBy : expiry)
  if (name === 'back') return refunded === '0' ? t.backNone : t.backSome
  if (name === 'released') {
    if (state === 'funding') return t.lockedFunding
    if (releasedMilestones.length === 0) return t.releasedNone
    const [paid, all] = [releasedMilestones.length, milestones.length]
    return t.releasedSome({ paid: formatCount(lang, paid), all: formatCount(lang, all) })
  }
  if (name === 'locked') return held === '0' ? t.lockedNone : lockedFor(escrow, held, lang)
  if (hasFailed) return held === '0' ? t.owedNone : isDust ? t.dust : owed(escrow, campaign, lang)
  if (state === 'done') return t.owedNone
  if (isOver) return t.due
  const day = formatDay(lang, state === 'funding' ? activateBy : expiry)
  return `${state === 'funding' ? t.ifMissed(day) : t.ifUnpaid(day)} ${t.collect}`
}

/** What donors can get at once, and what verifiers must sign first. */
const owed = (escrow: EscrowFigures, { donations }: Props['campaign'], lang: Language): string => {
  const { money: t } = escrowTexts[lang]
  const { collectable, currency } = escrow
  const unsigned = subtract(moneyOf(escrow, donations).held, collectable)
  const money = (value: string) => formatMoney(lang, { value, currency })
  return [
    collectable !== '0' && t.collectable(money(collectable)),
    !isDust(unsigned, escrow, donations) && t.unsigned(money(unsigned)),
  ]
    .filter(Boolean)
    .join(' ')
}

/** What the locked money is for: open milestones first, and a surplus only above all of them. */
const lockedFor = (escrow: EscrowFigures, held: string, lang: Language): string => {
  const { money: t } = escrowTexts[lang]
  const { milestones, releasedMilestones, currency, surplus } = escrow
  const open = milestones
    .filter((_, index) => !releasedMilestones.includes(index))
    .reduce((sum, { amount }) => add(sum, amount), '0')
  const above = subtract(held, open)
  const money = (value: string) => formatMoney(lang, { value, currency })
  const forOpen = subtract(held, above)
  return [
    forOpen !== '0' && t.lockedFor(money(forOpen)),
    above !== '0' && t.lockedAbove[surplus](money(above)),
  ]
    .filter(Boolean)
    .join(' ')
}

/** Says of an escrow that gives money back who still waits for it, or that all is paid. */
export const Ended = ({ campaign, escrow, lang }: Omit<Props, 'now'>) => {
  const { ended: t, reasons } = escrowTexts[lang]
  const { refunded, currency, reason } = escrow
  const { received, isDust } = moneyOf(escrow, campaign.donations)
  const money = (value: string) => formatMoney(lang, { value, currency })
  const why = reasons[reason ?? 'target_missed']
  const back = money(refunded)
  if (received === '0') {
    return (
      <Banner tone="quiet" title={t.empty.title}>
        {`${why} ${t.empty.text}`}
      </Banner>
    )
  }
  if (isDust) {
    return (
      <Banner tone="quiet" title={t.everything}>
        {`${why} ${t.paid({ back, total: money(received) })}`}
      </Banner>
    )
  }
  return (
    <Banner tone="info" title={t.waiting.title}>
      <p>{`${why} ${t.waiting.text({ owed: owed(escrow, campaign, lang), back })}`}</p>
      <p>
        <a href={`/c/${campaign.slug}/escrow#refunds`}>{t.waiting.find}</a>
      </p>
    </Banner>
  )
}

type AsOfProps = { booked: BookedBlock | null; slug: string; now: Date; lang: Language }

/** Older blocks are named with their age. */
const FRESH_MS = 300_000

/** The block of all figures, and where to check them. */
export const AsOf = ({ booked, slug, now, lang }: AsOfProps) => {
  const t = campaignTexts[lang]
  if (booked === null) return null
  const { block, minedAt } = booked
  const isOld = minedAt !== null && now.getTime() - minedAt.getTime() > FRESH_MS
  return (
    <p class="asof">
      {t.asOf(formatCount(lang, block))}{' '}
      {minedAt && <Time at={minedAt} lang={lang} {...(isOld && { now })} />}
      {'. '}
      <a href={`/c/${slug}/ledger`}>{t.checkFigures}</a>
    </p>
  )
}
