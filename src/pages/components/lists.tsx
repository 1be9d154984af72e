import type { ComponentChildren } from 'preact'
import { formatAmount } from '../shared/format.ts'
import { LinkButton } from './form.tsx'

type TableRow = {
  key: string
  /** As many as there are columns. The first cell names the row. */
  cells: readonly ComponentChildren[]
  /** True for a row in a softer colour. */
  quiet?: boolean
}

type Props = {
  /** Says what the rows are, for screen readers. */
  caption: string
  /** An even number, because two cells share a line on narrow screens. */
  columns: readonly string[]
  rows: readonly TableRow[]
}

/** Rows of a ledger. The last column is aligned to the end. Narrow screens have two-line rows. */
export const Table = ({ caption, columns, rows }: Props) => (
  <div class="ledger-box">
    <table class="ledger">
      <caption class="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, cells: [first, ...rest], quiet }) => (
          <tr key={key} class={quiet ? 'quiet' : undefined}>
            <th scope="row">{first}</th>
            {rest.map((cell, index) => (
              <td key={columns[index + 1]}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

/** The place of the shown items in a list. */
export type Position = {
  /** The path of the list. */
  path: string
  /** The parameters that the links keep. `cursor` is the position of the shown items. */
  query: URLSearchParams
  nextCursor: string | null
}

type PagerProps = Position & {
  texts: Readonly<Record<'pages' | 'newest' | 'older', string>>
}

/** The links of a list that is read by cursors: back to the newest, and to older items. */
export const Pager = ({ path, query, nextCursor, texts }: PagerProps) => {
  const isLater = query.has('cursor')
  const at = (cursor: string | null): string => {
    const kept = new URLSearchParams(query)
    kept.delete('cursor')
    if (cursor !== null) kept.set('cursor', cursor)
    return kept.size === 0 ? path : `${path}?${kept}`
  }
  return isLater || nextCursor !== null ? (
    <nav class="pager" aria-label={texts.pages}>
      {isLater && <a href={at(null)}>{texts.newest}</a>}
      {nextCursor !== null && (
        <a href={at(nextCursor)} rel="next">
          {texts.older}
        </a>
      )}
    </nav>
  ) : null
}

type Sum = { label: string; money: readonly { value: string; currency: string }[] }

/** Large sums, side by side, with a line for each currency. `false` leaves out a sum. */
export const Sums = ({ items, lang }: { items: readonly (Sum | false)[]; lang: string }) => (
  <dl class="sums">
    {items.map(
      (item) =>
        item && (
          <div key={item.label}>
            <dt>{item.label}</dt>
            {item.money.map(({ value, currency }) => (
              <dd key={currency}>
                {formatAmount(lang, value)} <small>{currency}</small>
              </dd>
            ))}
          </div>
        ),
    )}
  </dl>
)

type EmptyProps = { text: string; action?: { href: string; label: string } | undefined }

/** An empty list: a sentence, and the one thing to do about it. */
export const Empty = ({ text, action }: EmptyProps) => (
  <div class="empty">
    <p>{text}</p>
    {action && (
      <LinkButton kind="plain" href={action.href}>
        {action.label}
      </LinkButton>
    )}
  </div>
)
