import type { Queryable } from '../../../db/client.ts'

/** The ids above `after`, up to `upTo` (inclusive). Null means no limit. */
export type Range = { after: string | null; upTo: string | null }

type Ids<Id> = readonly Id[] | Range

/** Selects rows by their ids. A table that is not named is not restricted. */
export type Slice = {
  entries?: Ids<number>
  seals?: Ids<number>
  donations?: Ids<string>
  transfers?: Ids<string>
  milestones?: Ids<string>
}

/** The largest number of differences that one statement, and one part of a check, returns. */
export const MOST_DIFFERENCES = 1_000

/** SQL condition that selects a slice's rows by their ids. Without ids, the SQL is empty. */
export const among = (
  sql: Queryable,
  column: string,
  slice: Slice | undefined,
  rows: keyof Slice,
) => {
  const ids = slice?.[rows]
  if (!ids) return sql``
  const type = rows === 'entries' || rows === 'seals' ? sql`bigint` : sql`uuid`
  if (!('after' in ids)) return sql`and ${sql(column)} = any(${[...ids]}::${type}[])`
  const { after, upTo } = ids
  return sql`
    ${after === null ? sql`` : sql`and ${sql(column)} > ${after}::${type}`}
    ${upTo === null ? sql`` : sql`and ${sql(column)} <= ${upTo}::${type}`}`
}

/** Lets statements find rows by index only. A slice is small, and statistics may be outdated. */
export const readByIndex = (sql: Queryable) =>
  turnOff(sql, ['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin', 'enable_material'])

/** Turns off nested loops, which are very slow on whole tables if their statistics are wrong. */
export const readWholeTables = (sql: Queryable) => turnOff(sql, ['enable_nestloop'])

const METHODS = [
  ...['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin', 'enable_nestloop'],
  'enable_material',
]

const turnOff = (sql: Queryable, methods: string[]) => sql`
  select set_config('jit', 'off', true), set_config('plan_cache_mode', 'force_custom_plan', true),
         set_config(name, case when name = any(${methods}) then 'off' else 'on' end, true)
  from unnest(${METHODS}::text[]) as name`
