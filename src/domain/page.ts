import { z } from 'zod'
import { DomainError } from '../kernel/errors.ts'
import { isId } from '../kernel/ids.ts'

export const MAX_PAGE_SIZE = 100
/** Deep reads go by cursor: an offset beyond this would make the database count rows for nothing. */
export const MAX_PAGE = 1_000

/** `page` from 1 with `limit` (default 20), or `cursor` for deep reads without gaps or doubles. */
export const PageQuery = z.object({
  page: z.coerce.number().int().min(1).max(MAX_PAGE).default(1),
  limit: z.coerce.number().int().min(1).max(MAX_PAGE_SIZE).default(20),
  cursor: z.string().min(1).max(200).optional(),
})
export type PageQuery = z.output<typeof PageQuery>

/** One page of a list, newest first. `nextCursor` is null on the last one. */
export type Page<T> = {
  items: T[]
  page: number
  limit: number
  total: number
  pages: number
  nextCursor: string | null
}

/** A place in a list ordered by (created_at, id), newest first: what comes after it is older. */
export type Keyset = { createdAt: Date; id: string }

export const encodeCursor = ({ createdAt, id }: Keyset): string =>
  Buffer.from(`${createdAt.toISOString()} ${id}`).toString('base64url')

const TIME = /^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** Throws DomainError `invalid_cursor`. */
export const decodeCursor = (cursor: string): Keyset => {
  const [time = '', id = ''] = Buffer.from(cursor, 'base64url').toString('utf8').split(' ')
  const createdAt = new Date(time)
  // As we wrote it: Postgres cannot read every year that a Date can hold.
  if (!TIME.test(time) || Number.isNaN(createdAt.getTime()) || !isId(id)) {
    throw new DomainError('invalid_cursor', 'The cursor is not one that this service gave out.')
  }
  return { createdAt, id }
}

/** Builds the page from `limit + 1` rows, the last of which only tells whether there is more. */
export const toPage = <Row, T>(
  rows: readonly Row[],
  query: PageQuery,
  total: number,
  keyOf: (row: Row) => Keyset,
  map: (row: Row) => T,
): Page<T> => {
  const shown = rows.slice(0, query.limit)
  const last = shown.at(-1)
  return {
    items: shown.map(map),
    page: query.page,
    limit: query.limit,
    total,
    pages: Math.ceil(total / query.limit),
    nextCursor: rows.length > query.limit && last ? encodeCursor(keyOf(last)) : null,
  }
}
