import type { Context } from '../../db/context.ts'

/**
 * SQL for the time by the database's clock, cut to milliseconds. Several processes can compare such
 * times, although their own clocks differ.
 */
export const databaseNow = ({ sql }: Pick<Context, 'sql'>) =>
  sql`date_trunc('milliseconds', statement_timestamp())`

/** SQL for the database's time `ms` milliseconds from now. */
export const databaseTimeIn = (ctx: Pick<Context, 'sql'>, ms: number) =>
  ctx.sql`(${databaseNow(ctx)} + make_interval(secs => ${ms / 1_000}))`
