import {
  ListCampaigns,
  type ListedCampaignView,
  listCampaigns,
} from '../../domain/campaigns/index.ts'
import { DomainError } from '../../kernel/errors.ts'
import { CAMPAIGN_STATUSES, type CampaignStatus } from '../../kernel/statuses.ts'
import { Button, Field, SelectField } from '../components/form.tsx'
import { Empty, Pager, type Position } from '../components/lists.tsx'
import { Progress } from '../components/progress.tsx'
import { Chip, type Tone } from '../components/states.tsx'
import { get, show } from '../page.ts'
import { Kicker } from '../parts/campaign-parts.tsx'
import { formatMoney } from '../shared/format.ts'
import type { Language } from '../shared/languages.ts'
import { campaignTexts } from '../texts/campaign/index.ts'
import { homeTexts } from '../texts/home/index.ts'
import { layoutTexts } from '../texts/layout/index.ts'

const CAMPAIGNS = 20

/** The first page, with the list of all campaigns. */
export const homePages = () => [
  get('/', 'home', async ({ ctx, lang, query }) => {
    const search = {
      q: query.get('q')?.trim() ?? '',
      category: query.get('category')?.trim() ?? '',
      status: SHOWN_STATUSES.find((known) => known === query.get('status')),
    }
    const cursor = query.get('cursor') || undefined
    const { data: asked } = ListCampaigns.safeParse({
      limit: CAMPAIGNS,
      cursor,
      q: search.q || undefined,
      category: search.category || undefined,
      status: search.status && [search.status],
    })
    if (!asked) throw new DomainError('invalid_input', 'Search for fewer words.')
    const { items, nextCursor } = await listCampaigns(ctx, asked)
    const all = { ...search, status: search.status ?? '', cursor: cursor ?? '' }
    const kept = new URLSearchParams(Object.entries(all).filter(([, value]) => value !== ''))
    return show({
      title: homeTexts[lang].title,
      canonical: '/',
      body: (
        <HomeView
          {...{ campaigns: items, search, lang }}
          categories={categoriesOf(items, search.category)}
          position={{ path: '/', query: kept, nextCursor }}
        />
      ),
    })
  }),
]

/** The categories to choose from: those of the shown campaigns, and the chosen one. */
const categoriesOf = (items: readonly ListedCampaignView[], chosen: string): string[] => {
  const all = [chosen, ...items.map(({ category }) => category ?? '')]
  return [...new Set(all.filter((category) => category !== ''))].sort()
}

/** The statuses that visitors can choose. Drafts are not for them. */
export const SHOWN_STATUSES = CAMPAIGN_STATUSES.filter((status) => status !== 'draft')

type Search = {
  q: string
  category: string
  status: CampaignStatus | undefined
}

type Props = {
  campaigns: readonly ListedCampaignView[]
  search: Search
  categories: readonly string[]
  position: Position
  lang: Language
}

/** What Fundproof is, and its campaigns. */
export const HomeView = ({ campaigns, search, categories, position, lang }: Props) => {
  const t = homeTexts[lang]
  const isSearch = Boolean(search.q || search.category || search.status)
  return (
    <>
      <h1>{t.title}</h1>
      <p class="lead">
        {t.what} {t.how}
      </p>
      <section class="page-section" aria-labelledby="campaigns">
        <h2 id="campaigns">{layoutTexts[lang].campaigns}</h2>
        {(campaigns.length > 0 || isSearch) && (
          <SearchForm search={search} categories={categories} lang={lang} />
        )}
        <ul class="campaign-rows">
          {campaigns.map((campaign) => (
            <Row key={campaign.id} campaign={campaign} lang={lang} />
          ))}
        </ul>
        {campaigns.length === 0 && (
          <Empty
            text={isSearch ? t.notFound : t.none}
            action={isSearch ? { href: '/', label: t.showAll } : { href: '/docs', label: t.create }}
          />
        )}
        <Pager {...position} texts={t} />
      </section>
    </>
  )
}

type FormProps = { search: Search; categories: readonly string[]; lang: Language }

const SearchForm = ({ search, categories, lang }: FormProps) => {
  const t = homeTexts[lang]
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
          label={campaignTexts[lang].state}
          value={search.status ?? ''}
          options={[
            { value: '', label: campaignTexts[lang].anyState },
            ...SHOWN_STATUSES.map((value) => ({
              value,
              label: campaignTexts[lang].status[value],
            })),
          ]}
        />
        <Button kind="plain">{t.find}</Button>
      </form>
    </search>
  )
}

const TONES: Record<CampaignStatus, Tone> = {
  draft: 'quiet',
  active: 'quiet',
  funded: 'good',
  completed: 'good',
  cancelled: 'quiet',
  failed: 'bad',
}

/** A campaign with its bar. Open campaigns need no chip, because most are open. */
const Row = ({ campaign, lang }: { campaign: ListedCampaignView; lang: Language }) => {
  const t = homeTexts[lang]
  const { title, slug, status, currentAmount, targetAmount, currency, donations } = campaign
  const money = (value: string) => formatMoney(lang, { value, currency })
  const raised = t.raisedOf({ raised: money(currentAmount), target: money(targetAmount) })
  return (
    <li>
      <div>
        <Kicker campaign={campaign} lang={lang} />
        <h3 class="row-title">
          <a href={`/c/${slug}`}>{title}</a>
        </h3>
        <p class="excerpt">{campaign.description}</p>
      </div>
      <div>
        {status !== 'active' && (
          <Chip tone={TONES[status]}>{campaignTexts[lang].status[status]}</Chip>
        )}
        <Progress proven={currentAmount} target={targetAmount} label={raised} />
        <p class="row-money">
          <strong>{raised}</strong>
          {donations > 0 && <span class="note">{t.donations(donations)}</span>}
        </p>
      </div>
    </li>
  )
}
