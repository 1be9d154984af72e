import type { Database, Queryable } from '../../../db/client.ts'
import type { LedgerSeal } from '../../../db/schema/seals.ts'
import type { Difference } from '../../shared/index.ts'
import { onOneSnapshot, type Part, type RunOptions, runParts } from '../ranges/run-parts.ts'
import { MOST_DIFFERENCES, readByIndex } from '../ranges/slice.ts'
import { lastSeals, walkSeals, walkUnsealed } from './check-seals.ts'
import { assertSigned, type RememberedHead, type SignedHead } from './remembered-heads.ts'
import { listSealKeys } from './seal-keys.ts'
import {
  readIssuedSeal,
  readLateSeals,
  readUnsealedForLong,
  readWrongAccounts,
} from './seal-statements.ts'

export type SinceCheck = {
  seals: number
  sealed: number
  unsealed: number
  differences: Difference[]
  /** The id of the seal with the head `kept`; null if the database has no such seal. */
  sealId: number | null
  /** The search for entries without a seal covered the entries with an id above this number. */
  aboveEntry: number
  /** Whether there may be more differences, because at most `MOST_DIFFERENCES` are returned. */
  isCut: boolean
}

/** Each statement of `checkSince` reads about this number of entries. */
const ROWS_AT_ONCE = 2_000

type Since = { kept: SignedHead; others: readonly RememberedHead[] }
/** Compares the given entries with their donations, transfers and milestones. */
type CheckEntries = (sql: Queryable, entries: readonly number[]) => Promise<Difference[]>

/**
 * Recomputes the seal that has the head `kept`, and all seals after this seal, in one snapshot.
 * Reads only these seals and their entries, by index.
 *
 * @throws StartError if no key of this database has signed the head `kept`
 */
export const checkSince = async (
  pool: Database,
  { kept, others }: Since,
  checkEntries: CheckEntries,
  { jobs = 1, ...options }: RunOptions & { jobs?: number } = {},
): Promise<SinceCheck> => {
  const issued = await readIssuedSeal(pool)
  return onOneSnapshot(pool, jobs, async (connections) => {
    const [sql] = connections as [Queryable]
    await readByIndex(sql)
    await assertSigned(kept, await listSealKeys({ sql }))
    const { sealId, aboveEntry, rewritten } = await findKept(sql, kept)
    if (sealId === null || rewritten.length > 0) {
      const none = { aboveEntry: 0, seals: 0, sealed: 0, unsealed: 0 }
      return { sealId: null, ...none, differences: rewritten, isCut: false }
    }
    const { counts, differences, isCut } = await runParts(
      connections,
      [...newParts(sealId, aboveEntry, checkEntries), lastSeals(others, issued)],
      { rows: ROWS_AT_ONCE, ...options },
    )
    const { seals = 0, sealed = 0, unsealed = 0 } = counts
    const first = differences.slice(0, MOST_DIFFERENCES)
    return { sealId, aboveEntry, seals, sealed, unsealed, differences: first, isCut }
  })
}

/** The seals from `sealId` on, and the entries without a seal whose id is above `aboveEntry`. */
const newParts = (sealId: number, aboveEntry: number, checkEntries: CheckEntries): Part[] => {
  const andEntries =
    (walk: typeof walkSeals): Part['run'] =>
    async (sql, slice) => {
      const { ids, counts, differences } = await walk(sql, slice)
      for (let at = 0; at < ids.length; at += ROWS_AT_ONCE) {
        const entries = ids.slice(at, at + ROWS_AT_ONCE)
        differences.push(
          ...(await readWrongAccounts(sql, { entries })),
          ...(await readLateSealsOf(sql, entries)),
          ...(await readUnsealedForLong(sql, { entries })),
          ...(await checkEntries(sql, entries)),
        )
      }
      return { differences, counts }
    }
  const seals = { table: 'sealed_entry', column: 'seal_id', rows: 'seals' } as const
  const entries = { table: 'ledger_entry', column: 'id', rows: 'entries' } as const
  return [
    { name: 'seals', ranges: { ...seals, above: sealId - 1 }, run: andEntries(walkSeals) },
    { name: 'entries', ranges: { ...entries, above: aboveEntry }, run: andEntries(walkUnsealed) },
  ]
}

const readLateSealsOf = async (sql: Queryable, entries: readonly number[]) => {
  const donations = await sql<{ id: string }[]>`
    select distinct donation_id as id from ledger_entry
    where id = any(${[...entries]}::bigint[]) and donation_id is not null`
  return readLateSeals(sql, { donations: donations.map(({ id }) => id) })
}

/** Finds the seal of a kept head and its newest entry. Reports values of the seal that differ. */
const findKept = async (
  sql: Queryable,
  { campaignId, seq, head, globalHead }: SignedHead,
): Promise<{ sealId: number | null; aboveEntry: number; rewritten: Difference[] }> => {
  const [seal] = await sql<(Pick<LedgerSeal, 'id' | 'head' | 'globalHead'> & { newest: number })[]>`
    select id, head, global_head,
           coalesce((select max(entry_id) from sealed_entry where seal_id = seal.id), 0) as newest
    from ledger_seal seal
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
    aboveEntry: seal?.newest ?? 0,
    rewritten: compared.filter(({ stored, recomputed }) => stored !== recomputed),
  }
}
