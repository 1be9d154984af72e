import type { Context } from '../../../db/context.ts'
import { withTransaction } from '../../../db/transaction.ts'
import { rotateSealKey } from '../../books/index.ts'
import { rotateSigningKey } from '../user/signing-keys.ts'

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
  const isOver = isChanged && renewed === 0 && newest.createdAt.getTime() <= latest
  if (!isOver || (await hasOldText(ctx))) return { renewed, changedAt: null }
  await renewColumn(ctx, 'signing_key', 'private_sealed')
  return { renewed, changedAt: newest.createdAt }
}

/** Leaves out rows that another process changes meanwhile. The next run finds them. */
const renewColumn = async (ctx: Context, table: string, column: string): Promise<number> => {
  const { sql } = ctx
  let renewed = 0
  for await (const old of oldTexts(ctx, table, column)) {
    const done = await sql`
      update ${sql(table)} as changed set ${sql(column)} = fresh
      from jsonb_to_recordset(${sql.json(old)}) as text (at tid, sealed text, fresh text)
      where changed.ctid = any(${old.map(({ at }) => at)}::text[]::tid[])
        and changed.ctid = at and changed.${sql(column)} = sealed`
    renewed += done.count
  }
  return renewed
}

/**
 * Whether a text still needs SECRET_PREVIOUS. Reads all tables in one snapshot, because a row that
 * is changed often moves, and `renewColumn` can miss it each time.
 */
const hasOldText = ({ pool, ...ctx }: Context): Promise<boolean> =>
  pool.begin('isolation level repeatable read read only', async (sql) => {
    for (const [table, column] of COLUMNS) {
      for await (const _ of oldTexts({ ...ctx, pool, sql }, table, column)) return true
    }
    return false
  })

type OldText = { at: string; sealed: string; fresh: string }

/** Reads the texts of SECRET_PREVIOUS in a column, in parts of a few blocks. */
async function* oldTexts(
  { sql, secrets }: Context,
  table: string,
  column: string,
): AsyncGenerator<OldText[]> {
  const [size] = await sql<{ blocks: number }[]>`
    select pg_relation_size(${table}::regclass) / current_setting('block_size')::int as blocks`
  for (let block = 0; block < (size?.blocks ?? 0); block += BLOCKS_AT_ONCE) {
    const rows = await sql<{ at: string; sealed: string }[]>`
      select ctid::text as at, ${sql(column)} as sealed from ${sql(table)}
      where ${sql(column)} is not null and ctid >= ${`(${block},0)`}::tid
        and ctid < ${`(${block + BLOCKS_AT_ONCE},0)`}::tid`
    const old = rows.flatMap((row) => {
      const fresh = secrets.renew(row.sealed)
      return fresh === undefined ? [] : [{ ...row, fresh }]
    })
    if (old.length > 0) yield old
  }
}
