import type { ComponentChildren } from 'preact'
import type { CampaignTitle } from '../../../domain/campaigns/index.ts'
import type { Page } from '../../../domain/shared/index.ts'
import type { Language } from '../../shared/languages.ts'
import type { AccountTexts } from '../../texts/account/index.ts'

const PAGES = [
  ['account', '/account'],
  ['donations', '/account/donations'],
  ['deposits', '/account/deposits'],
  ['notifications', '/notifications'],
] as const

type Props = {
  t: AccountTexts
  title: string
  current: (typeof PAGES)[number][0]
  children: ComponentChildren
}

/** A page of the signed-in person: the menu of the account, and the content. */
export const Area = ({ t, title, current, children }: Props) => (
  <div class="stack">
    <nav class="tabs" aria-label={t.menu.label}>
      <ul>
        {PAGES.map(([name, path]) => (
          <li key={name}>
            <a href={path} aria-current={name === current ? 'page' : undefined}>
              {t.menu[name]}
            </a>
          </li>
        ))}
      </ul>
      <form method="post" action="/sign-out">
        <button type="submit" class="text-button">
          {t.menu.signOut}
        </button>
      </form>
    </nav>
    <h1>{title}</h1>
    {children}
  </div>
)

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
