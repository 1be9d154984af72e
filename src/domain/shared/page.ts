import { z } from 'zod'
import type { Part, Queryable } from '../../db/client.ts'
import type { Context } from '../../db/context.ts'
import { DomainError } from '../../kernel/errors.ts'
import { isId } from '../../kernel/formats/ids.ts'

export const MAX_PAGE_SIZE = 100
/** The largest `total`, and the last row that `page` can reach. Later rows need a cursor. */
export const MAX_COUNTED = 10_000

/** Selects a page by number (from 1) or by cursor. Cursors never skip or repeat an item. */
export const PageQuery = z.strictObject({
  page: z.coerce.number().int().min(1).max(MAX_COUNTED).default(1),
  limit: z.coerce.number().int().min(1).max(MAX_PAGE_SIZE).default(20),
  cursor: z.string().min(1).max(200).optional(),
})
export type PageQuery = z.output<typeof PageQuery>

/** A schema for a filter by several values. The query parameter may be repeated. */
export const severalOf = <const T extends readonly string[]>(values: T) =>
  z
    .array(z.enum(values))
    .max(values.length)
    .optional()
    .describe('Any of these values. Repeat the parameter for several values.')

/** One page of a list. `nextCursor` is null on the last page. */
export type Page<T> = {
  items: T[]
  page: number
  limit: number
  /** The number of all items. If it is above MAX_COUNTED, `total` and `pages` are null. */
  total: number | null
  pages: number | null
  nextCursor: string | null
}

/** A position in a list ordered by (created_at, id). */
export type Keyset = { createdAt: Date; id: string }

export const encodeCursor = ({ createdAt, id }: Keyset): string =>
  Buffer.from(`${createdAt.toISOString()} ${id}`).toString('base64url')

const TIME = /^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** @throws DomainError `invalid_cursor` if `encodeCursor` cannot have made the cursor */
export const decodeCursor = (cursor: string): Keyset => {
  const [time = '', id = ''] = Buffer.from(cursor, 'base64url').toString('utf8').split(' ')
  const createdAt = new Date(time)
  // Accepts only what `encodeCursor` writes. Postgres cannot store all years that a Date can have.
  if (!TIME.test(time) || Number.isNaN(createdAt.getTime()) || !isId(id)) {
    throw new DomainError('invalid_cursor', 'The cursor does not come from this service.')
  }
  return { createdAt, id }
}

/** The queries of a list, for `readPage`. */
export type List<Row extends { id: string }, T = Row> = {
  /**
   * Selects `id` and the time `at` of all matching rows. Several parts are merged, and each part
   * must be able to read its rows from an index in list order.
   */
  chosen: Part | readonly Part[]
  /** If true, the oldest item comes first. By default, the newest item comes first. */
  oldestFirst?: boolean
  /** Reads the rows with these ids, in any order. */
  rowsOf(ids: string[]): PromiseLike<readonly Row[]>
  /** Converts a row to an item. By default, the row itself is the item. */
  toItem?(row: Row): T
}

/**
 * Calls `chosen` with an SQL condition for `statuses`, which is empty without statuses. If all are
 * in `indexed`, calls `chosen` once for each status, because an index then has the rows in list
 * order.
 */
export const withStatus = (
  sql: Queryable,
  statuses: readonly string[] | undefined,
  indexed: readonly string[],
  chosen: (condition: Part) => Part,
): Part[] => {
  const asked = [...new Set(statuses)]
  return asked.length > 1 && asked.every((status) => indexed.includes(status))
    ? asked.map((status) => chosen(ofStatus(sql, [status])))
    : [chosen(ofStatus(sql, asked))]
}

/** SQL that limits rows to any of these statuses; empty SQL if there are no statuses. */
export const ofStatus = (sql: Queryable, statuses: readonly string[] = []): Part => {
  if (statuses.length === 0) return sql``
  return statuses.length === 1
    ? sql`and status = ${statuses[0] ?? ''}`
    : sql`and status = any(${[...statuses]}::text[])`
}

/**
 * Reads one page: first the ids, then their rows, so that joins run only for rows of this page.
 *
 * @throws DomainError `invalid_cursor` for a wrong cursor, `invalid_input` after MAX_COUNTED rows
 */
export const readPage = async <Row extends { id: string }, T = Row>(
  ctx: Context,
  { page, limit, cursor }: PageQuery,
  list: List<Row, T>,
): Promise<Page<T>> => {
  const { sql } = ctx
  const after = cursor === undefined ? undefined : decodeCursor(cursor)
  const skip = after ? 0 : (page - 1) * limit
  if (skip >= MAX_COUNTED) throw tooDeep()
  // Counts from the oldest row, because PostgreSQL can count old rows from the index alone.
  const oldest = merged(sql, list.chosen, sql`order by at, id limit ${MAX_COUNTED + 1}`)
  const [counted] = await sql<{ count: number }[]>`
    select count(*)::int as count from (
      select from (${oldest}) item limit ${MAX_COUNTED + 1}
    ) counted`
  const { items, next } = await readOn(ctx, { after, skip, limit }, list)
  const count = counted?.count ?? 0
  const total = count > MAX_COUNTED ? null : count
  return {
    items,
    page,
    limit,
    total,
    pages: total === null ? null : Math.ceil(total / limit),
    nextCursor: next && encodeCursor(next),
  }
}

/** Reads the items after a position, without a count. `next` is null at the end of the list. */
export const readOn = async <Row extends { id: string }, T = Row>(
  { sql }: Context,
  { after, skip = 0, limit }: { after?: Keyset | undefined; skip?: number; limit: number },
  { chosen, oldestFirst = false, rowsOf, toItem = (row) => row as unknown as T }: List<Row, T>,
): Promise<{ items: T[]; next: Keyset | null }> => {
  const order = oldestFirst ? sql`order by at, id` : sql`order by at desc, id desc`
  const behind = after
    ? sql`where (at, id) ${oldestFirst ? sql`>` : sql`<`} (${after.createdAt}, ${after.id})`
    : sql``
  const first = merged(sql, chosen, sql`${behind} ${order} limit ${skip + limit + 1}`)
  const found = await sql<{ id: string; at: Date }[]>`
    select id, at from (${first}) item ${order} limit ${limit + 1} offset ${skip}`
  const shown = found.slice(0, limit)
  const rows = shown.length === 0 ? [] : await rowsOf(shown.map(({ id }) => id))
  const rowOf = new Map(rows.map((row) => [row.id, row]))
  const last = shown.at(-1)
  return {
    items: shown.flatMap(({ id }) => {
      const row = rowOf.get(id)
      return row ? [toItem(row)] : []
    }),
    next: found.length > limit && last ? { createdAt: last.at, id: last.id } : null,
  }
}

/** SQL for the union of all parts. Appends `end` (such as an order and a limit) to each part. */
const merged = (sql: Queryable, parts: List<never, unknown>['chosen'], end: Part): Part =>
  [parts]
    .flat()
    .map((part) => sql`(select id, at from (${part}) item ${end})`)
    .reduce((all, one) => sql`${all} union all ${one}`)

const tooDeep = (): DomainError => {
  const message = `Pages end at ${MAX_COUNTED} items. Continue with the cursor of nextCursor.`
  return new DomainError('invalid_input', message, [{ path: 'page', message }])
}

/** Lists show at most this many characters of a long text. */
export const EXCERPT_LENGTH = 300

/** SQL for the beginning of a text column, with an ellipsis if the text is longer. */
export const excerptOf = (sql: Queryable, column: Part, length = EXCERPT_LENGTH) => sql`
  case when char_length(${column}) <= ${length} then ${column}
       else left(${column}, ${length - 1}) || '…' end`
