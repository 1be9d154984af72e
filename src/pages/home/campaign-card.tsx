import { Progress } from '../components/progress.tsx'
import { Audit, Chip, Icon } from '../components/states.tsx'
import { takesPayments } from '../load/campaign.ts'
import { placeOf } from '../parts/campaign-parts.tsx'
import { Cover } from '../parts/cover.tsx'
import { warningOf } from '../parts/warning.ts'
import { add, formatAmount, formatMoney } from '../shared/format.ts'
import type { Language } from '../shared/languages.ts'
import { campaignTexts } from '../texts/campaign/index.ts'
import { homeTexts } from '../texts/home/index.ts'
import type { ListedCampaign } from './load-home.ts'

type Props = { campaign: ListedCampaign; lang: Language }

/** Creator and place, as far as they are known, and the title, whose link covers the whole part. */
const Head = ({ campaign: { creatorName, location, title, slug }, lang }: Props) => (
  <>
    <p class="asof">
      {creatorName && <bdi>{creatorName}</bdi>} <bdi>{placeOf(location, lang)}</bdi>
    </p>
    <h3 class="row-title">
      <a href={`/c/${slug}`}>{title}</a>
    </h3>
  </>
)

type CardProps = Props & { now: Date; isLazy: boolean }

/** An open campaign: what it is, how far it is, where the money goes, and the way to give. */
export const Card = ({ campaign, now, isLazy, lang }: CardProps) => {
  const t = homeTexts[lang]
  const { title, slug, status, currency, currentAmount, targetAmount, donations } = campaign
  const { escrow, milestones } = campaign
  const paid = milestones.filter((one) => one.status === 'released').length
  const target = formatMoney(lang, { value: targetAmount, currency })
  const raised = formatAmount(lang, currentAmount)
  const isOffered = takesPayments(campaign, now)
  return (
    <li class="campaign-card">
      <Cover campaign={campaign} isLazy={isLazy} />
      <div class="campaign-text">
        <Head campaign={campaign} lang={lang} />
        <p class="excerpt">{campaign.description}</p>
        <Progress
          proven={currentAmount}
          target={targetAmount}
          label={t.raisedOf({ raised, target })}
        />
        <p class="row-money">
          <span>
            <strong>{raised}</strong>
            {t.raisedOf({ raised: '', target })}
          </span>
          {status === 'funded' ? (
            <span class="note">{campaignTexts[lang].status.funded}</span>
          ) : (
            donations > 0 && <span class="note">{t.donations(donations)}</span>
          )}
        </p>
        {isOffered && <Audit text={warningOf(escrow, lang)} />}
        <div class="campaign-end">
          <span class="asof">
            <Icon name={escrow ? 'lock' : 'arrow'} />{' '}
            {escrow ? t.toEscrow({ paid, all: milestones.length }) : t.toCreator}
          </span>
          {isOffered && (
            <a class="button button-soft" href={`/c/${slug}/donate`} aria-label={t.donateTo(title)}>
              {campaignTexts[lang].donate}
            </a>
          )}
        </div>
      </div>
    </li>
  )
}

/** A campaign that has ended, with its outcome. */
export const EndedRow = ({ campaign, lang }: Props) => {
  const { status } = campaign
  return (
    <li>
      <Cover campaign={campaign} isLazy />
      <div>
        <Head campaign={campaign} lang={lang} />
      </div>
      <p class="outcome">
        <span>{outcomeOf(campaign, lang)}</span>
        <Chip tone={status === 'completed' ? 'good' : 'quiet'}>
          {campaignTexts[lang].status[status]}
        </Chip>
      </p>
    </li>
  )
}

/** What became of the money, as far as the books know it. */
const outcomeOf = (campaign: ListedCampaign, lang: Language): string => {
  const t = homeTexts[lang].outcome
  const { currency, currentAmount, refunded, donations, milestones, escrow } = campaign
  const money = (value: string) => formatMoney(lang, { value, currency })
  if (donations === 0) return t.noDonations
  if (refunded !== '0') {
    const all = money(add(currentAmount, refunded))
    return currentAmount === '0' ? t.allPaidBack(all) : t.paidBack(all, money(refunded))
  }
  const areVerified =
    milestones.length > 0 &&
    milestones.every(({ status }) => status === 'verified' || status === 'released')
  if (areVerified) return t.verified(money(currentAmount))
  return escrow ? t.raised(money(currentAmount)) : t.toCreator(money(currentAmount))
}
