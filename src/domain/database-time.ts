import type { Context } from './context.ts'

/**
 * SQL for the database's time, for times that several processes compare, because clocks of
 * processes differ. Cuts to milliseconds, because a column would round up to a time in the future.
 */
export const databaseNow = ({ sql }: Pick<Context, 'sql'>) =>
  sql`date_trunc('milliseconds', statement_timestamp())`

/** SQL for the database's time `ms` milliseconds from now. */
export const databaseTimeIn = (ctx: Pick<Context, 'sql'>, ms: number) =>
  ctx.sql`(${databaseNow(ctx)} + make_interval(secs => ${ms / 1_000}))`
