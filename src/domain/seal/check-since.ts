import type { Database, Queryable } from '../../db/client.ts'
import { NO_HEAD } from '../../verifier/index.ts'
import type { LeafRow } from './leaf.ts'
import { assertSigned, type RememberedHead, type SignedHead } from './remembered-heads.ts'
import { listSealKeys } from './seal-keys.ts'
import {
  compareRemembered,
  isSignedBy,
  MOST_DIFFERENCES,
  readLateSeals,
  readMissingSeals,
  readOrphans,
  readUnsealedForLong,
  readWalk,
  readWrongAccounts,
} from './seal-statements.ts'
import { createSealWalk, type Found, type SealWalk, type Tip, type WalkStart } from './seal-walk.ts'

export type SinceCheck = {
  /** The id of the head's seal. Null if the ledger does not hold that head. */
  sealId: number | null
  /** Entries above this id were searched for missing seals. */
  aboveEntry: number
  seals: number
  sealed: number
  unsealed: number
  differences: Found[]
  /** There are more differences than `MOST_DIFFERENCES`. */
  isCut: boolean
}

const ROWS_AT_ONCE = 1_000
/** Nested loops compare each entry of a portion with every row that refers to it. */
const ENTRIES_AT_ONCE = 100

/**
 * Recomputes the seals from a kept head on, its own included, in one snapshot. Reads only new rows,
 * by index.
 *
 * @param checkEntries compares some of the new entries with the rows they name
 * @throws StartError for a head without a valid signature
 */
export const checkSince = async (
  pool: Database,
  { kept, others }: { kept: SignedHead; others: readonly RememberedHead[] },
  checkEntries: (sql: Queryable, entries: readonly number[]) => Promise<Found[]>,
): Promise<SinceCheck> =>
  (await pool.begin('isolation level repeatable read read only', async (sql) => {
    await readByIndex(sql)
    const keys = await listSealKeys({ sql })
    await assertSigned(kept, keys)
    const { sealId, rewritten } = await findKept(sql, kept)
    if (sealId === null || rewritten.length > 0) {
      const none = { aboveEntry: 0, seals: 0, sealed: 0, unsealed: 0 }
      return { sealId: null, ...none, differences: rewritten, isCut: false }
    }
    const walk = createSealWalk(isSignedBy(keys), await readStart(sql, sealId))
    const { entries, newest } = await walkSeals(sql, walk, sealId)
    const unsealed = await walkUnsealed(sql, walk, newest)
    const walked = await walk.end()
    const differences = [...walked.differences]
    differences.push(...(await readOrphans(sql, sealId)), ...(await readMissingSeals(sql)))
    differences.push(...(await compareRemembered(sql, others)))
    const all = [...entries, ...unsealed]
    for (let at = 0; at < all.length && differences.length < MOST_DIFFERENCES; ) {
      const some = all.slice(at, at + ENTRIES_AT_ONCE)
      differences.push(
        ...(await readWrongAccounts(sql, some)),
        ...(await readLateSeals(sql, some)),
        ...(await readUnsealedForLong(sql, some)),
        ...(await checkEntries(sql, some)),
      )
      at += some.length
    }
    return {
      sealId,
      aboveEntry: newest,
      seals: walked.seals,
      sealed: walked.sealed,
      unsealed: unsealed.length,
      differences: unique(differences).slice(0, MOST_DIFFERENCES),
      isCut: differences.length >= MOST_DIFFERENCES,
    }
  })) as SinceCheck

/** Forces index scans, because few rows are looked up and statistics may be wrong. */
const readByIndex = (sql: Queryable) => sql`
  select set_config(name, 'off', true)
  from unnest(array['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin', 'jit']) as name`

/** The seal of a kept head, or the differences between the ledger and the head. */
const findKept = async (
  sql: Queryable,
  { campaignId, seq, head, globalHead }: SignedHead,
): Promise<{ sealId: number | null; rewritten: Found[] }> => {
  const [seal] = await sql<{ id: number; head: string; globalHead: string }[]>`
    select id, head, global_head from ledger_seal
    where campaign_id = ${campaignId} and seq = ${seq}`
  const id = `${campaignId} ${seq}`
  const compared = [
    { what: 'remembered head of campaign', id, stored: seal?.head ?? 'gone', recomputed: head },
    {
      what: 'remembered global head of campaign',
      ...{ id, stored: seal?.globalHead ?? 'gone', recomputed: globalHead },
    },
  ]
  return {
    sealId: seal?.id ?? null,
    rewritten: compared.filter(({ stored, recomputed }) => stored !== recomputed),
  }
}

type TipRow = {
  campaignId: string
  seq: number
  head: string
  totalEntries: number
  newestEntry: number
  sealedAt: Date
}

/** The seals that precede the first one of the walk. */
const readStart = async (sql: Queryable, sealId: number): Promise<WalkStart> => {
  const [last] = await sql<{ id: number; globalHead: string }[]>`
    select id, global_head from ledger_seal where id < ${sealId} order by id desc limit 1`
  const tips = await sql<TipRow[]>`
    with fresh as materialized (
      select id, campaign_id, seq from ledger_seal where id >= ${sealId}
    ), first as (
      select distinct on (campaign_id) campaign_id, seq from fresh order by campaign_id, id
    )
    select tip.campaign_id, tip.seq, tip.head, tip.total_entries, tip.sealed_at,
           coalesce((select max(entry_id) from sealed_entry where seal_id = tip.id), 0)
             as newest_entry
    from first
    join ledger_seal tip on tip.campaign_id = first.campaign_id and tip.seq = first.seq - 1
    where tip.id < ${sealId}`
  return {
    lastId: last?.id ?? 0,
    globalHead: last?.globalHead ?? NO_HEAD,
    tips: new Map(tips.map((row) => [row.campaignId, toTip(row)])),
  }
}

const toTip = (row: TipRow): Tip => ({
  seq: row.seq,
  head: row.head,
  totalEntries: row.totalEntries,
  newestEntry: row.newestEntry,
  sealedAt: row.sealedAt.getTime(),
})

/** The entries under all seals from `sealId` on, and the newest entry under that seal. */
const walkSeals = async (sql: Queryable, walk: SealWalk, sealId: number) => {
  const entries: number[] = []
  let newest = 0
  for await (const rows of readWalk(sql, sealId)) {
    for (const row of rows) {
      walk.read(row)
      if (row.id !== null) entries.push(row.id)
      if (row.sealId === sealId) newest = Math.max(newest, row.entryId ?? 0)
    }
  }
  return { entries, newest }
}

/** The entries above an id without a seal. */
const walkUnsealed = async (sql: Queryable, walk: SealWalk, above: number): Promise<number[]> => {
  const entries: number[] = []
  const waiting = sql<Pick<LeafRow, 'id' | 'campaignId' | 'createdAt'>[]>`
    select entry.id, entry.campaign_id, entry.created_at from ledger_entry entry
    where entry.id > ${above}
      and not exists (select from sealed_entry sealed where sealed.entry_id = entry.id)`
  for await (const rows of waiting.cursor(ROWS_AT_ONCE)) {
    for (const row of rows) {
      walk.readUnsealed(row)
      entries.push(row.id)
    }
  }
  return entries
}

/** The first difference of each kind and id. A donation may have entries in two portions. */
const unique = (differences: readonly Found[]): Found[] =>
  [
    ...new Map(
      differences
        .toReversed()
        .map((difference) => [`${difference.what} ${difference.id}`, difference]),
    ).values(),
  ].toReversed()
