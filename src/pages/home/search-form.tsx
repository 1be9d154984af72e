import type { ListedCampaignView } from '../../domain/campaigns/index.ts'
import { Button, Field, SelectField } from '../components/form.tsx'
import type { Language } from '../shared/languages.ts'
import { campaignTexts } from '../texts/campaign/index.ts'
import { homeTexts } from '../texts/home/index.ts'
import { LISTS } from './load-home.ts'

export type Search = { q: string; category: string; status: string }

type Props = {
  search: Search
  /** The shown campaigns. Their categories are offered. */
  campaigns: readonly ListedCampaignView[]
  lang: Language
}

/** Finds campaigns by words, category and state. */
export const SearchForm = ({ search, campaigns, lang }: Props) => {
  const t = homeTexts[lang]
  const { anyState, state, status } = campaignTexts[lang]
  const categories = categoriesOf(campaigns, search.category)
  return (
    <search>
      <form class="filter" action="/">
        <Field name="q" type="search" label={t.search} value={search.q} maxLength={100} />
        {categories.length > 0 && (
          <SelectField
            name="category"
            label={t.category}
            value={search.category}
            options={[
              { value: '', label: t.anyCategory },
              ...categories.map((value) => ({ value, label: value })),
            ]}
          />
        )}
        <SelectField
          name="status"
          label={state}
          value={search.status}
          options={[
            { value: '', label: anyState },
            ...LISTS.all.map((value) => ({ value, label: status[value] })),
          ]}
        />
        <Button kind="plain">{t.find}</Button>
      </form>
    </search>
  )
}

/** The categories to choose from: those of the shown campaigns, and the chosen one. */
const categoriesOf = (campaigns: Props['campaigns'], chosen: string): string[] => {
  const all = [chosen, ...campaigns.map(({ category }) => category ?? '')]
  return [...new Set(all.filter((category) => category !== ''))].sort()
}
