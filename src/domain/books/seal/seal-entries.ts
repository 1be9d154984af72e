import { sign } from 'node:crypto'
import type { Context } from '../../../db/context.ts'
import type { LedgerSeal, LostHead } from '../../../db/schema/seals.ts'
import { withTransaction } from '../../../db/transaction.ts'
import {
  globalHeadHash,
  headHash,
  leafHash,
  NO_HEAD,
  SEAL_VERSION,
  signedHead,
} from '../../../verifier/index.ts'
import { openKeptHead } from './kept-head.ts'
import { type LeafRow, leafColumns, leafTables, toLeaf } from './leaf.ts'
import { findLostHead } from './lost-heads.ts'
import { merkleRoot } from './merkle.ts'
import { SignedHead } from './remembered-heads.ts'
import { openSealKey, SEAL_LOCK, type SealKey } from './seal-keys.ts'

export type NewSeal = Omit<LedgerSeal, 'version' | 'sealedAt'> & { sealedAt: string }

/**
 * The result of `sealEntries`. Nothing is sealed if `busy`, because another process was sealing, or
 * if the database lacks the head `lost`, because it was restored from an older copy.
 */
type Sealing = { busy: boolean; lost: LostHead | null; entries: number; seals: NewSeal[] }
const NOTHING: Sealing = { busy: false, lost: null, entries: 0, seals: [] }

/** A range of entry ids: above `after`, and up to `upTo` (inclusive). */
export type EntryRange = { after: number; upTo: number }

/** The most entries of one transaction, and of one seal. A proof reads a whole seal. */
const ENTRIES_PER_BATCH = 4_000
const ENTRIES_PER_SEAL = 1_000

type Leaf = { entryId: number; campaignId: string; donationId: string | null; leaf: string }

/**
 * Seals at most `ENTRIES_PER_BATCH` unsealed entries of a range in one transaction. A seal signs
 * the Merkle root of a campaign's new entries, the head of the campaign's last seal, and the head
 * of the last seal of all campaigns. Requests and settling never wait for a lock of this function.
 *
 * @param folder keeps the newest signed head outside the database
 * @param onSealed runs in the same transaction with the ids of donations that have a sealed entry
 */
export const sealEntries = async (
  ctx: Context,
  range: EntryRange,
  folder: string,
  onSealed: (ctx: Context, donationIds: string[]) => Promise<void>,
): Promise<Sealing> => {
  const sealing = await withTransaction(ctx, async (ctx): Promise<Sealing> => {
    const [lock] = await ctx.sql<{ held: boolean }[]>`
      select pg_try_advisory_xact_lock(${SEAL_LOCK}) as held`
    if (!lock?.held) return { ...NOTHING, busy: true }
    const kept = await openKeptHead(ctx, folder)
    const lost = await findLostHead(ctx)
    if (lost) return { ...NOTHING, lost }
    const leaves = await readUnsealed(ctx, range)
    if (leaves.length === 0) {
      await kept.learn()
      return NOTHING
    }
    const batches = batchesOf(leaves)
    const seals = await makeSeals(ctx, batches, await openSealKey(ctx))
    await insertSeals(ctx, seals)
    await insertSealedEntries(ctx, seals, batches)
    const donationIds = leaves.flatMap(({ donationId }) => donationId ?? [])
    if (donationIds.length > 0) await onSealed(ctx, [...new Set(donationIds)])
    const newest = seals.at(-1)
    await kept.sign(SignedHead.parse({ ...newest, entries: newest?.totalEntries }))
    return { ...NOTHING, entries: leaves.length, seals }
  })
  // If the newest seal is deleted, `npm run check` sees that the id sequence is ahead of the table.
  const last = sealing.seals.at(-1)
  if (last) await ctx.sql`select setval('ledger_seal_id_seq', ${last.id})`
  return sealing
}

const readUnsealed = async (ctx: Context, range: EntryRange): Promise<Leaf[]> => {
  const rows = await ctx.sql<LeafRow[]>`
    select ${leafColumns(ctx.sql)}
    from ledger_entry entry ${leafTables(ctx.sql)}
    where entry.id > ${range.after} and entry.id <= ${range.upTo}
      and not exists (select from sealed_entry sealed where sealed.entry_id = entry.id)
    order by entry.id
    limit ${ENTRIES_PER_BATCH}`
  return rows.map((row) => ({
    entryId: row.id,
    campaignId: row.campaignId,
    donationId: row.donationId,
    leaf: leafHash(toLeaf(row)),
  }))
}

/** Groups leaves by campaign into batches of at most `ENTRIES_PER_SEAL`, in entry id order. */
const batchesOf = (leaves: readonly Leaf[]): Leaf[][] =>
  [...Map.groupBy(leaves, (leaf) => leaf.campaignId).values()].flatMap((ofCampaign) =>
    Array.from({ length: Math.ceil(ofCampaign.length / ENTRIES_PER_SEAL) }, (_, index) =>
      ofCampaign.slice(index * ENTRIES_PER_SEAL, (index + 1) * ENTRIES_PER_SEAL),
    ),
  )

type Tip = Pick<LedgerSeal, 'seq' | 'head' | 'totalEntries'>
const NO_TIP: Tip = { seq: 0, head: NO_HEAD, totalEntries: 0 }

const makeSeals = async (
  ctx: Context,
  batches: readonly (readonly Leaf[])[],
  key: SealKey,
): Promise<NewSeal[]> => {
  const tips = await readTips(ctx, [...new Set(batches.map((batch) => batch[0]?.campaignId ?? ''))])
  let { id, previousGlobalHead } = await readLast(ctx)
  const sealedAt = ctx.clock.now().toISOString()
  return batches.map((batch) => {
    const campaignId = batch[0]?.campaignId ?? ''
    const tip = tips.get(campaignId) ?? NO_TIP
    const sealed = {
      campaignId,
      seq: tip.seq + 1,
      previousHead: tip.head,
      root: merkleRoot(batch.map((entry) => entry.leaf)),
      entries: batch.length,
      totalEntries: tip.totalEntries + batch.length,
      sealedAt,
    }
    const head = headHash(sealed)
    const globalHead = globalHeadHash(previousGlobalHead, head)
    const message = signedHead({ campaignId, seq: sealed.seq, head, globalHead })
    const signature = sign(null, message, key.privateKey).toString('base64url')
    id += 1
    const made = { ...sealed, id, head, previousGlobalHead, globalHead, keyId: key.kid, signature }
    tips.set(campaignId, { seq: made.seq, head, totalEntries: made.totalEntries })
    previousGlobalHead = globalHead
    return made
  })
}

/** Reads the newest global head, and the highest seal id ever used, so that no id is reused. */
const readLast = async (ctx: Context): Promise<{ id: number; previousGlobalHead: string }> => {
  const [last] = await ctx.sql<{ id: number; previousGlobalHead: string }[]>`
    select greatest(coalesce(newest.id, 0), case when is_called then last_value else 0 end) as id,
           coalesce(newest.global_head, ${NO_HEAD}::bytea) as previous_global_head
    from ledger_seal_id_seq
    left join (select id, global_head from ledger_seal order by id desc limit 1) newest on true`
  return last ?? { id: 0, previousGlobalHead: NO_HEAD }
}

const readTips = async (ctx: Context, campaignIds: string[]): Promise<Map<string, Tip>> => {
  const rows = await ctx.sql<(Tip & { campaignId: string })[]>`
    select campaign_id, seq, head, total_entries
    from unnest(${campaignIds}::uuid[]) as wanted (id)
    cross join lateral (
      select * from ledger_seal where campaign_id = wanted.id order by seq desc limit 1) newest`
  return new Map(rows.map(({ campaignId, ...tip }) => [campaignId, tip]))
}

/** Inserts seals. `makeSeals` chose their ids while it held the lock, so the ids have no gaps. */
const insertSeals = (ctx: Context, seals: readonly NewSeal[]) => ctx.sql`
  insert into ledger_seal
    (id, campaign_id, seq, version, entries, total_entries, root, previous_head, head,
     previous_global_head, global_head, key_id, signature, sealed_at)
  overriding system value
  select id, "campaignId", seq, ${SEAL_VERSION}, entries, "totalEntries", bytes_of(root),
         bytes_of("previousHead"), bytes_of(head), bytes_of("previousGlobalHead"),
         bytes_of("globalHead"), "keyId", signature, "sealedAt"
  from jsonb_to_recordset(${ctx.sql.json(seals as NewSeal[])})
    as row (id bigint, "campaignId" uuid, seq int, entries int, "totalEntries" bigint, root text,
            "previousHead" text, head text, "previousGlobalHead" text, "globalHead" text,
            "keyId" text, signature text, "sealedAt" timestamptz)`

const insertSealedEntries = (
  ctx: Context,
  seals: readonly NewSeal[],
  batches: readonly (readonly Leaf[])[],
) => {
  const rows = batches.flatMap((batch, index) => {
    const sealId = seals[index]?.id ?? 0
    return batch.map(({ entryId, leaf }, position) => ({ entryId, sealId, position, leaf }))
  })
  return ctx.sql`
    insert into sealed_entry (entry_id, seal_id, position, leaf)
    select "entryId", "sealId", position, bytes_of(leaf)
    from jsonb_to_recordset(${ctx.sql.json(rows)})
      as row ("entryId" bigint, "sealId" bigint, position int, leaf text)`
}

/** A late commit can add an entry whose id is below the newest sealed id by this number at most. */
export const LOOK_BACK = 10_000

/** Returns the ids to seal: from `LOOK_BACK` below the newest sealed entry to the newest entry. */
export const rangeToSeal = async (ctx: Context): Promise<EntryRange> => {
  const [row] = await ctx.sql<{ sealed: number; newest: number }[]>`
    select coalesce((select max(entry_id) from sealed_entry), 0) as sealed,
           coalesce((select max(id) from ledger_entry), 0) as newest`
  return { after: Math.max(0, (row?.sealed ?? 0) - LOOK_BACK), upTo: row?.newest ?? 0 }
}
