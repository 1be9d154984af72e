import { isCreditedStatus } from '../../kernel/statuses.ts'
import { LinkButton } from '../components/form.tsx'
import { Icon, type IconName, Tick } from '../components/states.tsx'
import { DonationChip, isWorthless } from '../parts/donation-chip.tsx'
import { formatAmount, formatMoney } from '../shared/format.ts'
import type { Language } from '../shared/languages.ts'
import { donationTexts } from '../texts/donation/index.ts'
import { DonationState } from './donation-state.tsx'
import type { Tracked } from './load-donation.ts'

type Props = { tracked: Tracked; lang: Language }

/** The title of the page: how much, and for which campaign. */
export const titleOf = ({ donation, campaign }: Tracked, lang: Language): string =>
  donationTexts[lang].title(formatMoney(lang, donation.amount), campaign.title)

/** The place of the amount in the title. */
const PLACE = '\0'

/** The state of a donation in large letters, its sentence, and what the donor can keep of it. */
export const DonationPanel = ({ tracked, lang }: Props) => {
  const { donation, campaign, proof } = tracked
  const { receipt, check, title, share, shared } = donationTexts[lang]
  const done = doneOf(tracked, lang)
  const money = formatMoney(lang, donation.amount)
  const [before, after] = title(PLACE, campaign.title).split(PLACE)
  const heading = (
    <h1>
      {before}
      {isGone(tracked) ? <s>{money}</s> : money}
      {after}
    </h1>
  )
  if (done === null) {
    return (
      <>
        {heading}
        <DonationChip donation={donation} lang={lang} big />
        <DonationState tracked={tracked} lang={lang} />
      </>
    )
  }
  return (
    <div class={`panel panel-${done.look}`}>
      <p class="marked">
        <Tick icon={done.icon} />
        {done.word}
      </p>
      {heading}
      <DonationState tracked={tracked} lang={lang} />
      {isCreditedStatus(donation.status) && (
        <p class="donation-links">
          <LinkButton href={`/d/${donation.id}/receipt`}>
            <Icon name="print" /> {receipt.title}
          </LinkButton>
          {proof && (
            <a
              class="button button-plain"
              href={`/api/donations/${donation.id}/proof`}
              download={`proof-${donation.id}.json`}
            >
              <Icon name="download" /> {check.download}
            </a>
          )}
          <button
            type="button"
            class="button button-plain needs-script"
            data-share={titleOf(tracked, lang)}
            data-copied={shared}
          >
            <Icon name="share" /> <span>{share}</span>
          </button>
        </p>
      )}
    </div>
  )
}

/** Whether the whole donation was paid back, so its amount does not count any more. */
export const isGone = ({ donation }: Pick<Tracked, 'donation'>): boolean =>
  donation.status === 'refunded'

type Done = { look: 'way' | 'proven' | 'quiet'; icon: IconName; word: string }

/** The large state of a donation whose payment is in a block; null for the others. */
export const doneOf = ({ donation, proof }: Tracked, lang: Language): Done | null => {
  const { done: t } = donationTexts[lang]
  const { status, creditedAmount, refundedAmount } = donation
  if (status === 'confirming') return { look: 'way', icon: 'info', word: t.onItsWay }
  if (!isCreditedStatus(status) || isWorthless(donation)) return null
  if (status === 'refunded') return { look: 'quiet', icon: 'back', word: t.refunded }
  if (status === 'partly_refunded' && creditedAmount && refundedAmount) {
    const back = formatAmount(lang, refundedAmount.value)
    const word = t.partly(back, formatMoney(lang, creditedAmount))
    return { look: 'quiet', icon: 'back', word }
  }
  return proof
    ? { look: 'proven', icon: 'check', word: t.proven }
    : { look: 'way', icon: 'check', word: t.credited }
}
