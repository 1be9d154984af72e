import { MAX_COUNTED, type Page } from '../domain/page.ts'
import type { Answer } from './outcome.ts'

/** The answer with one page: the items under their name, and links to its neighbours (RFC 8288). */
export const pageAnswer = <T>(
  name: string,
  page: Page<T>,
  url: string,
  toBody: (item: T) => unknown,
): Answer => ({
  status: 200,
  body: {
    success: true,
    [name]: page.items.map(toBody),
    pagination: {
      page: page.page,
      limit: page.limit,
      total: page.total,
      pages: page.pages,
      nextCursor: page.nextCursor,
    },
  },
  headers: linkHeader(page, url),
})

/** Links keep the rest of the query. They are relative: no Host header gets to choose where to. */
const linkHeader = (page: Page<unknown>, url: string): Record<string, string> => {
  const { pathname, searchParams } = new URL(url)
  const link = (rel: string, changes: Record<string, string>): string => {
    const query = new URLSearchParams(searchParams)
    query.delete('page')
    query.delete('cursor')
    query.set('limit', String(page.limit))
    for (const [name, value] of Object.entries(changes)) query.set(name, value)
    return `<${pathname}?${query}>; rel="${rel}"`
  }
  const links = [link('first', { page: '1' })]
  if (page.nextCursor !== null) {
    const byPage = !searchParams.has('cursor') && page.page * page.limit < MAX_COUNTED
    links.push(link('next', byPage ? { page: String(page.page + 1) } : { cursor: page.nextCursor }))
  }
  if (!searchParams.has('cursor')) {
    if (page.page > 1) links.push(link('prev', { page: String(page.page - 1) }))
    if (page.pages !== null && page.pages > 0)
      links.push(link('last', { page: String(page.pages) }))
  }
  return { Link: links.join(', ') }
}
