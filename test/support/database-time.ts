import type { Context } from '../../src/db/context.ts'

type Database = Pick<Context, 'sql'>

/** Reads the database's time in milliseconds. */
export const databaseTime = async ({ sql }: Database): Promise<number> => {
  const [row] = await sql<{ now: Date }[]>`select clock_timestamp() as now`
  return row?.now.getTime() ?? Number.NaN
}

/** Moves the due times of mail and proofs back, because they depend on the database's clock. */
export const passDatabaseTime = async ({ sql }: Database, ms: number): Promise<void> => {
  const passed = sql`make_interval(secs => ${ms / 1_000})`
  await sql`update mail set next_attempt_at = next_attempt_at - ${passed}`
  await sql`update donation_proof set next_try_at = next_try_at - ${passed}`
}
