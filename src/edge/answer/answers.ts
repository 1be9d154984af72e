import { z } from 'zod'
import { MAX_COUNTED, type Page } from '../../domain/shared/index.ts'
import { Pagination, Success } from '../schemas.ts'
import type { Answer } from './outcome.ts'

/** Describes an answer with `success` and these fields, for the OpenAPI document. */
export const success = (description: string, fields: z.ZodRawShape) => ({
  description,
  schema: z.object({ success: Success, ...fields }),
})

/** Describes an answer with one page of a list, for the OpenAPI document. */
export const pageOf = (name: string, item: z.ZodType, description = 'One page.') =>
  success(description, { [name]: z.array(item), pagination: Pagination })

/** Makes an answer with `success: true` and these fields. */
export const succeed = (fields: object, others: Omit<Answer, 'body'> = {}): Answer => ({
  ...others,
  body: { success: true, ...fields },
})

/** Makes an answer with one page of a list. Its headers link to the other pages (RFC 8288). */
export const pageAnswer = <T>(
  name: string,
  { items, page, limit, total, pages, nextCursor }: Page<T>,
  url: string,
  toBody: (item: T) => unknown = (item) => item,
): Answer =>
  succeed(
    { [name]: items.map(toBody), pagination: { page, limit, total, pages, nextCursor } },
    { headers: linkHeader({ page, limit, pages, nextCursor }, url) },
  )

/** Makes links that keep the request's query. Relative links cannot contain a forged host name. */
const linkHeader = (
  page: Omit<Page<unknown>, 'items' | 'total'>,
  url: string,
): Record<string, string> => {
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
