import type { CampaignTitle } from '../../../domain/campaign/index.ts'
import type { Page } from '../../../domain/page.ts'
import { Pager } from '../../components/pager.tsx'
import type { Language } from '../../shared/languages.ts'
import type { AccountTexts } from '../texts/index.ts'

export type ListProps<T> = {
  t: AccountTexts
  lang: Language
  now: Date
  list: Pick<Page<T>, 'items' | 'nextCursor'>
  /** Whether the list begins with the newest item. */
  isFirst: boolean
}

type LinkProps = { id: string; titles: ReadonlyMap<string, CampaignTitle> }

/** The title of a campaign, with a link to its page. */
export const CampaignLink = ({ id, titles }: LinkProps) => {
  const known = titles.get(id)
  return <a href={`/c/${known?.slug ?? id}`}>{known?.title ?? id}</a>
}

type PagerProps = { t: AccountTexts; path: string; isFirst: boolean; next: string | null }

/** The links to older items, and back to the newest. */
export const ListPager = ({ t, path, isFirst, next }: PagerProps) => (
  <Pager
    label={t.list.label}
    newest={isFirst ? null : { href: path, label: t.list.newest }}
    older={
      next === null
        ? null
        : { href: `${path}?cursor=${encodeURIComponent(next)}`, label: t.list.older }
    }
  />
)
