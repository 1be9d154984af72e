import {
  ListCampaigns,
  type ListedCampaignView,
  listCampaigns,
} from '../../domain/campaigns/index.ts'
import { DomainError } from '../../kernel/errors.ts'
import { get, show } from '../page.ts'
import { homeTexts } from '../texts/home/index.ts'
import { HomeView, SHOWN_STATUSES } from './home-view.tsx'

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
