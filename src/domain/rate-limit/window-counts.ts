import type { Context } from '../context.ts'

/** What one caller has used of a window: one row of `rate_limit`. */
export type WindowCount = { key: string; windowStart: number; taken: number }

/**
 * Adds what this process has counted, in one statement. Keys must be distinct.
 *
 * @returns what all processes have counted, in any order
 */
export const addCounts = async (
  { sql }: Pick<Context, 'sql'>,
  counted: readonly WindowCount[],
): Promise<WindowCount[]> => {
  const rows = counted.map(({ key, windowStart, taken }) => ({
    key,
    window_start: windowStart,
    taken,
  }))
  return sql<WindowCount[]>`
    insert into rate_limit as shared (key, window_start, taken)
    select key, window_start, taken
    from jsonb_to_recordset(${sql.json(rows)}) as row (key text, window_start bigint, taken int)
    -- In one order everywhere, so that two statements never wait for each other's rows.
    order by key, window_start
    on conflict (key, window_start) do update set taken = shared.taken + excluded.taken
    returning key, window_start as "windowStart", taken`
}
