import type { Queryable } from '../../../db/client.ts'
import type { Context } from '../../../db/context.ts'
import { withTransaction } from '../../../db/transaction.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { listSealKeys, signedStatement, signStatement } from '../../books/index.ts'
import { type Difference, publicText } from '../../shared/index.ts'
import type { DifferenceRow } from './difference.ts'

const MAX_REASON = 1_000

/**
 * Acknowledges an open difference as it is now. An acknowledged difference can be acknowledged
 * again. The difference stays listed, with the reason, but no longer raises the alert. The
 * statement is signed by the key that signs seals.
 *
 * @throws DomainError `invalid_input` for a reason that is not one line of 1 to 1000 characters;
 * `not_found` if there is no such open difference
 */
export const acknowledgeDifference = (ctx: Context, id: string, reason: string): Promise<void> =>
  withTransaction(ctx, async (ctx) => {
    const { data: text, error } = publicText(MAX_REASON).safeParse(reason)
    if (error) {
      const why = error.issues[0]?.message
      throw new DomainError('invalid_input', `A reason has 1 to ${MAX_REASON} characters: ${why}.`)
    }
    const [row] = await ctx.sql<DifferenceRow[]>`
      update ledger_difference
      set acknowledged_at = ${ctx.clock.now()}, acknowledgement = ${text}
      where id::text = ${id.toLowerCase()} and (resolved_at is null or acknowledged_at is not null)
      returning *`
    if (!row) throw new DomainError('not_found', 'There is no such open difference.')
    const jws = await signStatement(ctx, statementOf(row))
    await ctx.sql`update ledger_difference set acknowledgement_jws = ${jws} where id = ${row.id}`
  })

/** The facts that an acknowledgement signs. */
const statementOf = (row: DifferenceRow) => {
  const { id, kind, chainId, campaignId, account, assetId, blockNumber, firstBlock } = row
  const { blockHash, txHash, expected, actual, note, acknowledgement } = row
  const at = row.acknowledgedAt?.toISOString()
  const place = { chainId, campaignId, account, assetId, blockNumber, firstBlock }
  const facts = { blockHash, txHash, expected, actual, note }
  return { id, kind, ...place, ...facts, acknowledgement, at }
}

/** Names acknowledgements that no seal key has signed, or whose difference was changed since. */
export const checkAcknowledgements = async (sql: Queryable): Promise<Difference[]> => {
  const keys = await listSealKeys({ sql })
  const rows = await sql<DifferenceRow[]>`
    select * from ledger_difference
    where coalesce(acknowledged_at::text, acknowledgement, acknowledgement_jws) is not null`
  return rows.flatMap((row) => {
    const stored = JSON.stringify(statementOf(row))
    const recomputed = signedStatement(row.acknowledgementJws ?? '', keys) ?? 'not signed'
    const what = 'acknowledgement of difference'
    return stored === recomputed ? [] : [{ what, id: row.id, stored, recomputed }]
  })
}
