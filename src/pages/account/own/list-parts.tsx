import type { CampaignTitle } from '../../../domain/campaigns/index.ts'
import type { Page } from '../../../domain/shared/index.ts'
import type { Language } from '../../shared/languages.ts'
import type { AccountTexts } from '../../texts/account/index.ts'

export type ListProps<T> = {
  t: AccountTexts
  lang: Language
  now: Date
  list: Pick<Page<T>, 'items' | 'nextCursor'>
  /** Has the `cursor` of the shown items, unless they are the newest. */
  query: URLSearchParams
}

type LinkProps = { id: string; titles: ReadonlyMap<string, CampaignTitle> }

/** The title of a campaign, with a link to its page. */
export const CampaignLink = ({ id, titles }: LinkProps) => {
  const known = titles.get(id)
  return <a href={`/c/${known?.slug ?? id}`}>{known?.title ?? id}</a>
}
