import type { ComponentChildren } from 'preact'
import type { CampaignView } from '../../domain/campaigns/index.ts'
import type { Position } from '../components/lists.tsx'
import { Banner, type BannerTone } from '../components/states.tsx'
import { WithTime } from '../components/values.tsx'
import type { Language } from '../shared/languages.ts'
import { campaignTexts } from '../texts/campaign/index.ts'
import { donateTexts } from '../texts/donate/index.ts'

/** A page that lists something of a campaign. */
export type ListPage = {
  campaign: Pick<CampaignView, 'title' | 'slug'>
  position: Position
  lang: Language
}

type BackProps = Omit<ListPage, 'position'>

/** The way back to the campaign's page. */
export const BackToCampaign = ({ campaign, lang }: BackProps) => (
  <p class="back">
    <a href={`/c/${campaign.slug}`} title={campaignTexts[lang].backToCampaign}>
      ← {campaign.title}
    </a>
  </p>
)

type Props = BackProps & { title: string; children: ComponentChildren }

/** A page below the campaign's page, with the way back. */
export const SubPage = ({ campaign, lang, title, children }: Props) => (
  <>
    <BackToCampaign campaign={campaign} lang={lang} />
    <h1>{title}</h1>
    {children}
  </>
)

/** Category, place and creator, as far as they are known. */
export const Kicker = ({ campaign, lang }: { campaign: Facts; lang: Language }) => {
  const { category, location, creatorName } = campaign
  const facts = [
    category,
    placeOf(location, lang),
    creatorName && campaignTexts[lang].by(creatorName),
  ].filter(Boolean)
  return facts.length === 0 ? null : (
    <p class="kicker">
      {facts.map((fact) => (
        <span key={fact}>{fact}</span>
      ))}
    </p>
  )
}

type Facts = Pick<CampaignView, 'category' | 'location' | 'creatorName'>

export const placeOf = (location: CampaignView['location'], lang: Language): string => {
  const { country, region } = location ?? {}
  return [region, country && nameOf(country, lang)].filter(Boolean).join(', ')
}

/** The name of a country by its ISO 3166-1 code. Creators may also write a name. */
const nameOf = (country: string, lang: Language): string =>
  /^[A-Z]{2}$/.test(country)
    ? (new Intl.DisplayNames(lang, { type: 'region' }).of(country) ?? country)
    : country

/** Why a campaign takes nothing, or its chain credits nothing now; null if all is well. */
export type ChainTrouble =
  | { kind: 'closed' }
  | { kind: 'halted' }
  | { kind: 'stalled'; since: Date }
  | null

/** Why donations wait; nothing if the chain is well. */
export const TroubleNotice = ({ trouble, lang }: { trouble: ChainTrouble; lang: Language }) => {
  const { halted, stalled } = campaignTexts[lang].notices
  if (trouble === null) return null
  if (trouble.kind === 'closed') {
    const { title, what } = donateTexts[lang].closed
    return <Notice tone="warn" title={title} text={what} />
  }
  if (trouble.kind === 'halted') return <Notice tone="warn" {...halted} />
  return (
    <Banner tone="warn" title={stalled('').title}>
      <p>
        <WithTime sentence={(since) => stalled(since).text} at={trouble.since} lang={lang} />
      </p>
    </Banner>
  )
}

type NoticeProps = { tone: BannerTone; title: string; text: string }

/** A sentence about the whole campaign, below its title. */
export const Notice = ({ tone, title, text }: NoticeProps) => (
  <Banner tone={tone} title={title}>
    {text}
  </Banner>
)
