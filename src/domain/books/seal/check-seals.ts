import type { Database, Queryable } from '../../../db/client.ts'
import type { LedgerSeal } from '../../../db/schema/seals.ts'
import { NO_HEAD, type ProofKey } from '../../../verifier/index.ts'
import type { Difference } from '../../shared/index.ts'
import { assertSigned, type RememberedHead, type SignedHead } from './remembered-heads.ts'
import { listSealKeys } from './seal-keys.ts'
import {
  compareRemembered,
  isSignedBy,
  MOST_DIFFERENCES,
  readLateSeals,
  readMissingSeals,
  readOrphans,
  readUnsealed,
  readUnsealedForLong,
  readWalk,
  readWrongAccounts,
} from './seal-statements.ts'
import { createSealWalk, type Tip, type WalkStart } from './seal-walk.ts'

type SealCheck = {
  seals: number
  sealed: number
  unsealed: number
  differences: Difference[]
}

export type SinceCheck = SealCheck & {
  /** The id of the seal with the head `kept`; null if the database has no such seal. */
  sealId: number | null
  /** The search for entries without a seal covered the entries with an id above this number. */
  aboveEntry: number
  /** Whether there may be more differences, because at most `MOST_DIFFERENCES` are returned. */
  isCut: boolean
}

const ONE_SNAPSHOT = 'isolation level repeatable read read only'
/** Each query of `checkSince` reads this many entries. More entries make index scans slow. */
const ENTRIES_AT_ONCE = 100

/**
 * Recomputes all seals from their entries in one snapshot, and reports changed, removed and
 * inserted entries. A deletion of the newest seals with their entries may leave no trace in the
 * database. Only a head that was kept outside the database then shows this deletion.
 */
export const checkSeals = (
  pool: Database,
  remembered: readonly RememberedHead[] = [],
): Promise<SealCheck> =>
  pool.begin(ONE_SNAPSHOT, async (sql) => {
    const { seals, sealed, unsealed, differences } = await walkSeals(
      sql,
      await listSealKeys({ sql }),
    )
    differences.push(
      ...(await readOrphans(sql)),
      ...(await readWrongAccounts(sql)),
      ...(await readMissingSeals(sql)),
      ...(await readLateSeals(sql)),
      ...(await readUnsealedForLong(sql)),
      ...(await compareRemembered(sql, remembered)),
    )
    return { seals, sealed, unsealed, differences: differences.slice(0, MOST_DIFFERENCES) }
  })

/**
 * Recomputes the seal that has the head `kept`, and all seals after this seal, in one snapshot.
 * Reads only these seals and their entries, by index.
 *
 * @param checkEntries compares the given entries with their donations, transfers and milestones
 * @throws StartError if no key of this database has signed the head `kept`
 */
export const checkSince = (
  pool: Database,
  { kept, others }: { kept: SignedHead; others: readonly RememberedHead[] },
  checkEntries: (sql: Queryable, entries: readonly number[]) => Promise<Difference[]>,
): Promise<SinceCheck> =>
  pool.begin(ONE_SNAPSHOT, async (sql) => {
    await readByIndex(sql)
    const keys = await listSealKeys({ sql })
    await assertSigned(kept, keys)
    const { sealId, rewritten } = await findKept(sql, kept)
    if (sealId === null || rewritten.length > 0) {
      const none = { aboveEntry: 0, seals: 0, sealed: 0, unsealed: 0 }
      return { sealId: null, ...none, differences: rewritten, isCut: false }
    }
    const { entries, newest, differences, ...counts } = await walkSeals(sql, keys, sealId)
    differences.push(
      ...(await readOrphans(sql, sealId)),
      ...(await readMissingSeals(sql)),
      ...(await compareRemembered(sql, others)),
    )
    for (let at = 0; at < entries.length && differences.length < MOST_DIFFERENCES; ) {
      const some = entries.slice(at, at + ENTRIES_AT_ONCE)
      differences.push(
        ...(await readWrongAccounts(sql, some)),
        ...(await readLateSeals(sql, some)),
        ...(await readUnsealedForLong(sql, some)),
        ...(await checkEntries(sql, some)),
      )
      at += some.length
    }
    return {
      ...counts,
      sealId,
      aboveEntry: newest,
      differences: unique(differences).slice(0, MOST_DIFFERENCES),
      isCut: differences.length >= MOST_DIFFERENCES,
    }
  })

/** Forces index scans, because the check reads few rows and table statistics may be outdated. */
const readByIndex = (sql: Queryable) => sql`
  select set_config(name, 'off', true)
  from unnest(array['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin', 'jit']) as name`

/** Finds the seal of a kept head, and reports each value that differs between the two. */
const findKept = async (
  sql: Queryable,
  { campaignId, seq, head, globalHead }: SignedHead,
): Promise<{ sealId: number | null; rewritten: Difference[] }> => {
  const [seal] = await sql<Pick<LedgerSeal, 'id' | 'head' | 'globalHead'>[]>`
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

/** Checks all seals, or the seals from `sealId` on, and then the entries without a seal. */
const walkSeals = async (sql: Queryable, keys: readonly ProofKey[], sealId?: number) => {
  const start = sealId === undefined ? undefined : await readStart(sql, sealId)
  const walk = createSealWalk(isSignedBy(keys), start)
  const entries: number[] = []
  /** The highest id of an entry in the seal `sealId`. */
  let newest = 0
  for await (const rows of readWalk(sql, sealId)) {
    for (const row of rows) {
      walk.read(row)
      if (row.id !== null) entries.push(row.id)
      if (row.sealId === sealId) newest = Math.max(newest, row.entryId ?? 0)
    }
  }
  let unsealed = 0
  for await (const rows of readUnsealed(sql, newest)) {
    for (const row of rows) {
      walk.readUnsealed(row)
      entries.push(row.id)
      unsealed++
    }
  }
  return { ...(await walk.end()), entries, newest, unsealed }
}

/** Reads the state before the seal `sealId`: the last seal of all and of each campaign to check. */
const readStart = async (sql: Queryable, sealId: number): Promise<WalkStart> => {
  const [last] = await sql<Pick<LedgerSeal, 'id' | 'globalHead'>[]>`
    select id, global_head from ledger_seal where id < ${sealId} order by id desc limit 1`
  const tips = await sql<(Tip & { campaignId: string })[]>`
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
    tips: new Map(tips.map(({ campaignId, ...tip }) => [campaignId, tip])),
  }
}

/** Removes repeated differences, because two batches may check the same donation. */
const unique = (differences: readonly Difference[]): Difference[] =>
  [
    ...new Map(
      differences
        .toReversed()
        .map((difference) => [`${difference.what} ${difference.id}`, difference]),
    ).values(),
  ].toReversed()
