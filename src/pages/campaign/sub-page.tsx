import type { ComponentChildren, ComponentProps } from 'preact'
import type { CampaignView } from '../../domain/campaign/index.ts'
import type { Pager } from '../components/pager.tsx'
import type { Language } from '../shared/languages.ts'
import { campaignTexts } from './texts/index.ts'

/** A page that lists something of a campaign. */
export type ListPage = {
  campaign: Pick<CampaignView, 'title' | 'slug'>
  pager: ComponentProps<typeof Pager>
  lang: Language
}

type Props = Omit<ListPage, 'pager'> & { title: string; children: ComponentChildren }

/** A page below the campaign's page, with the way back. */
export const SubPage = ({ campaign, lang, title, children }: Props) => (
  <>
    <p class="back">
      <a href={`/c/${campaign.slug}`} title={campaignTexts[lang].backToCampaign}>
        ← {campaign.title}
      </a>
    </p>
    <h1>{title}</h1>
    {children}
  </>
)

type Position = {
  /** The path of the list. */
  path: string
  query: URLSearchParams
  nextCursor: string | null
  lang: Language
}

/** The links from this part of a list to the newest items and to older ones. */
export const pagerOf = ({ path, query, nextCursor, lang }: Position): ListPage['pager'] => {
  const t = campaignTexts[lang]
  const at = (cursor: string | null) => {
    const kept = new URLSearchParams(query)
    kept.delete('cursor')
    if (cursor !== null) kept.set('cursor', cursor)
    return kept.size === 0 ? path : `${path}?${kept}`
  }
  return {
    label: t.pages,
    newest: query.has('cursor') ? { href: at(null), label: t.newest } : null,
    older: nextCursor === null ? null : { href: at(nextCursor), label: t.older },
  }
}
