/** The place of the shown items in a list. */
export type Position = {
  /** The path of the list. */
  path: string
  /** The parameters that the links keep. `cursor` is the position of the shown items. */
  query: URLSearchParams
  nextCursor: string | null
}

type Props = Position & {
  texts: Readonly<Record<'pages' | 'newest' | 'older', string>>
}

/** The links of a list that is read by cursors: back to the newest, and to older items. */
export const Pager = ({ path, query, nextCursor, texts }: Props) => {
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
