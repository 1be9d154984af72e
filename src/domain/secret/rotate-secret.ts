import { withTransaction } from '../../db/transaction.ts'
import type { Context } from '../context.ts'
import { rotateSealKey } from '../seal/index.ts'
import { rotateSigningKey } from '../user/index.ts'

/** The columns with encrypted texts. `seal_key` is missing, because it is append-only. */
const COLUMNS = [
  ['idempotency_key', 'body'],
  ['mail', 'values_sealed'],
  ['webhook_endpoint', 'secret_sealed'],
  ['webhook_endpoint', 'previous_secret_sealed'],
  ['webhook_endpoint', 'headers_sealed'],
] as const
/** After this time no transaction is left that has begun before all processes use SECRET. */
const ALL_CHANGE_MS = 120_000
/** Blocks of a table. Each has 8 kB, without texts that PostgreSQL stores apart. */
const BLOCKS_AT_ONCE = 16

/**
 * Encrypts with SECRET all texts that SECRET_PREVIOUS has encrypted. The first run adds a key for
 * access tokens, with which all processes change to SECRET. A run that finds no text two minutes
 * later also encrypts the older keys, without which no process starts. Each run may be killed.
 *
 * @param ctx its `secrets` encrypt with SECRET
 * @returns the number of texts, and the time of the change once SECRET alone opens all texts
 */
export const rotateSecret = async (
  ctx: Context,
): Promise<{ renewed: number; changedAt: Date | null }> => {
  const [newest] = await ctx.sql<{ sealed: string; createdAt: Date }[]>`
    select private_sealed as sealed, created_at from signing_key where retired_at is null`
  const isChanged = newest !== undefined && ctx.secrets.renew(newest.sealed) === undefined
  if (!isChanged) {
    await withTransaction(ctx, async (ctx) => {
      await rotateSealKey(ctx)
      await rotateSigningKey(ctx)
    })
  }
  let renewed = 0
  for (const [table, column] of COLUMNS) renewed += await renewColumn(ctx, table, column)
  const latest = ctx.clock.now().getTime() - ALL_CHANGE_MS
  if (!isChanged || renewed > 0 || newest.createdAt.getTime() > latest) {
    return { renewed, changedAt: null }
  }
  await renewColumn(ctx, 'signing_key', 'private_sealed')
  return { renewed, changedAt: newest.createdAt }
}

/** Leaves out rows that another process changes meanwhile. The next run finds them. */
const renewColumn = async (ctx: Context, table: string, column: string): Promise<number> => {
  const { sql, secrets } = ctx
  const [size] = await sql<{ blocks: number }[]>`
    select pg_relation_size(${table}::regclass) / current_setting('block_size')::int as blocks`
  let renewed = 0
  for (let block = 0; block < (size?.blocks ?? 0); block += BLOCKS_AT_ONCE) {
    const rows = await sql<{ at: string; sealed: string }[]>`
      select ctid::text as at, ${sql(column)} as sealed from ${sql(table)}
      where ${sql(column)} is not null and ctid >= ${`(${block},0)`}::tid
        and ctid < ${`(${block + BLOCKS_AT_ONCE},0)`}::tid`
    const texts = rows.map((row) => ({ ...row, fresh: secrets.renew(row.sealed) ?? null }))
    const old = texts.filter(({ fresh }) => fresh !== null)
    const done = await sql`
      update ${sql(table)} as changed set ${sql(column)} = fresh
      from jsonb_to_recordset(${sql.json(old)}) as text (at tid, sealed text, fresh text)
      where changed.ctid = any(${old.map(({ at }) => at)}::text[]::tid[])
        and changed.ctid = at and changed.${sql(column)} = sealed`
    renewed += done.count
  }
  return renewed
}
