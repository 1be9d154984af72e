import type { Context } from '../context.ts'

/** Where an allowance is kept: one row of `rate_limit`. */
export type WindowKey = { key: string; windowStart: number }
export type PortionAsked = WindowKey & { quota: number; wanted: number }
export type PortionLeased = WindowKey & { portion: number; left: number }
export type PortionReturned = WindowKey & { unused: number }

type Database = Pick<Context, 'sql'>

/**
 * Takes a portion of each allowance, in one statement: a tenth of what is left, but what is wanted
 * at least, and never more than is left. A portion of 0 means that nothing is left. Never hands out
 * more than `quota` in a window, however many processes ask: the row's lock puts them in a row.
 * Keys must be distinct.
 */
export const leasePortions = async (
  { sql }: Database,
  asked: readonly PortionAsked[],
): Promise<PortionLeased[]> => {
  const rows = asked.map(({ key, windowStart, quota, wanted }) => ({
    key,
    window_start: windowStart,
    quota,
    wanted,
  }))
  const leased = await sql<
    { key: string; window_start: number; portion: number; left_over: number }[]
  >`
    insert into rate_limit as held (key, window_start, quota, taken, wanted, portion, pressed)
    select key, window_start, quota, least(quota, greatest(wanted, quota / 10)), wanted,
           least(quota, greatest(wanted, quota / 10)), false
    from jsonb_to_recordset(${sql.json(rows)})
      as asked (key text, window_start bigint, quota int, wanted int)
    -- In one order everywhere, so that two statements never wait for each other's rows.
    order by key, window_start
    on conflict (key, window_start) do update set
      quota = excluded.quota,
      wanted = excluded.wanted,
      portion = greatest(0, least(
        excluded.quota - held.taken,
        greatest(excluded.wanted, (excluded.quota - held.taken) / 10))),
      taken = held.taken + greatest(0, least(
        excluded.quota - held.taken,
        greatest(excluded.wanted, (excluded.quota - held.taken) / 10))),
      pressed = held.taken * 2 >= excluded.quota
    returning key, window_start, portion, greatest(0, quota - taken) as left_over`
  return leased.map(({ key, window_start, portion, left_over }) => ({
    key,
    windowStart: window_start,
    portion,
    left: left_over,
  }))
}

/** Puts back what was leased and not used. A row that is gone by now stays gone. */
export const returnPortions = async (
  { sql }: Database,
  returned: readonly PortionReturned[],
): Promise<void> => {
  const rows = returned.map(({ key, windowStart, unused }) => ({
    key,
    window_start: windowStart,
    unused,
  }))
  await sql`
    with given as (
      select held.key, held.window_start, row.unused
      from jsonb_to_recordset(${sql.json(rows)}) as row (key text, window_start bigint, unused int)
      join rate_limit held using (key, window_start)
      order by held.key, held.window_start
      for update of held
    )
    update rate_limit as held set taken = greatest(0, held.taken - given.unused)
    from given where held.key = given.key and held.window_start = given.window_start`
}

/** The windows of which half is taken, or all (`exhausted`), the newest first, at most `limit`. */
export const listPressed = async (
  { sql }: Database,
  sinceMs: number,
  limit: number,
): Promise<(WindowKey & { exhausted: boolean })[]> => {
  const rows = await sql<{ key: string; window_start: number; exhausted: boolean }[]>`
    select key, window_start, taken >= quota as exhausted from rate_limit
    where pressed and window_start > ${sinceMs}
    order by window_start desc limit ${limit}`
  return rows.map(({ key, window_start, exhausted }) => ({
    key,
    windowStart: window_start,
    exhausted,
  }))
}
