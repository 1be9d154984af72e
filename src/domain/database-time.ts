import type { Context } from './context.ts'

/**
 * The database's time as SQL, for times that several processes compare: their own clocks differ and
 * jump. In whole milliseconds, because a column would round it up into the future.
 */
export const databaseNow = ({ sql }: Pick<Context, 'sql'>) =>
  sql`date_trunc('milliseconds', statement_timestamp())`

/** As SQL, the database's time in `ms` from now. */
export const databaseTimeIn = (ctx: Pick<Context, 'sql'>, ms: number) =>
  ctx.sql`(${databaseNow(ctx)} + make_interval(secs => ${ms / 1_000}))`
