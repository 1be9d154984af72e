import type { CampaignView } from '../../domain/campaigns/index.ts'
import type { Language } from '../shared/languages.ts'
import { campaignTexts } from '../texts/campaign/index.ts'

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

const placeOf = (location: CampaignView['location'], lang: Language): string => {
  const { country, region } = location ?? {}
  return [region, country && nameOf(country, lang)].filter(Boolean).join(', ')
}

/** The name of a country by its ISO 3166-1 code. Creators may also write a name. */
const nameOf = (country: string, lang: Language): string =>
  /^[A-Z]{2}$/.test(country)
    ? (new Intl.DisplayNames(lang, { type: 'region' }).of(country) ?? country)
    : country
