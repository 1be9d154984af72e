import type { Context } from '../../../db/context.ts'
import type { LostHead } from '../../../db/schema/seals.ts'
import { withTransaction } from '../../../db/transaction.ts'
import { StartError } from '../../../kernel/errors.ts'
import { assertSigned, type SignedHead } from './remembered-heads.ts'
import { addSealKey, listSealKeys, SEAL_LOCK, type SealKey } from './seal-keys.ts'

export type { LostHead }

/**
 * Reads the newest lost head that no operator has confirmed. While there is such a head, nothing is
 * signed.
 */
export const findLostHead = async ({ sql }: Pick<Context, 'sql'>): Promise<LostHead | null> => {
  const [lost] = await sql<LostHead[]>`
    select * from lost_head where next_key_id is null order by sealed_at desc limit 1`
  return lost ?? null
}

/** Reads the newest lost head of each confirmed restore, the newest restore first. */
export const listLostHeads = ({ sql }: Pick<Context, 'sql'>) => sql<LostHead[]>`
  select distinct on (seal_key.created_at, next_key_id) lost_head.*
  from lost_head join seal_key on seal_key.kid = next_key_id
  order by seal_key.created_at desc, next_key_id, sealed_at desc`

/** Whether the ledger has the head, or an operator has confirmed that the head is lost. */
export const isKnown = async ({ sql }: Context, head: SignedHead): Promise<boolean> => {
  const [row] = await sql<{ known: boolean }[]>`
    select exists (
      select from ledger_seal
      where campaign_id = ${head.campaignId} and seq = ${head.seq}
        and head = ${head.head} and global_head = ${head.globalHead}
    ) or exists (
      select from lost_head join seal_key next on next.kid = next_key_id
      where sealed_at >= ${head.sealedAt}::timestamptz and not exists (
        select from seal_key where kid = ${head.keyId} and created_at >= next.created_at)
    ) as known`
  return row?.known ?? false
}

/** Records a head that the ledger lacks. Each worker records the newest head that it has kept. */
export const recordLostHead = ({ sql }: Context, head: SignedHead) => sql`
  insert into lost_head (global_head, campaign_id, seq, head, key_id, sealed_at)
  values (${head.globalHead}, ${head.campaignId}, ${head.seq}, ${head.head}, ${head.keyId},
          ${head.sealedAt})
  on conflict do nothing`

/**
 * Confirms that the ledger was restored: a new key signs from now on, and names the newest lost
 * head in the JWK Set.
 *
 * @param kept a head that was kept outside the database, or where the lost head comes from
 * @param also runs in the same transaction
 * @throws StartError if no head is lost, or if no key of this database has signed `kept`
 */
export const startEpoch = (
  ctx: Context,
  kept: SignedHead | 'noticed' | 'none',
  also: (ctx: Context) => Promise<unknown>,
): Promise<{ key: SealKey; lost: LostHead | null }> =>
  withTransaction(ctx, async (ctx) => {
    await ctx.sql`select pg_advisory_xact_lock(${SEAL_LOCK})`
    if (typeof kept !== 'string') {
      await assertSigned(kept, await listSealKeys(ctx))
      if (await isKnown(ctx, kept))
        throw new StartError('This ledger has the head: nothing is lost.')
      await recordLostHead(ctx, kept)
    }
    const lost = await findLostHead(ctx)
    if (!lost && kept !== 'none') throw new StartError(NOT_NOTICED)
    const key = await addSealKey(ctx)
    await ctx.sql`update lost_head set next_key_id = ${key.kid} where next_key_id is null`
    await also(ctx)
    return { key, lost }
  })

const NOT_NOTICED =
  'No worker has noticed that the ledger was restored. If it was, name a file with a signed head that was kept (`restored head.json`), or `restored none` if no head was kept.'
