import type { Database, Queryable } from '../../db/client.ts'
import type { RememberedHead } from './remembered-heads.ts'
import { listSealKeys } from './seal-keys.ts'
import {
  compareRemembered,
  isSignedBy,
  LATE_COMMIT_MINUTES,
  MOST_DIFFERENCES,
  readLateSeals,
  readMissingSeals,
  readOrphans,
  readUnsealedForLong,
  readWalk,
  readWrongAccounts,
} from './seal-statements.ts'
import { createSealWalk, type Found } from './seal-walk.ts'

export type SealCheck = {
  seals: number
  sealed: number
  /** Entries without a seal. */
  unsealed: number
  differences: Found[]
}

/**
 * Recomputes all seals from their entries in one snapshot, and names changed, removed and inserted
 * entries. Deleting the newest seals and entries without a trace only shows against heads that were
 * kept outside the database.
 */
export const checkSeals = async (
  pool: Database,
  remembered: readonly RememberedHead[] = [],
): Promise<SealCheck> =>
  (await pool.begin('isolation level repeatable read read only', async (sql) => {
    const walk = createSealWalk(isSignedBy(await listSealKeys({ sql })))
    for await (const rows of readWalk(sql)) for (const row of rows) walk.read(row)
    const walked = await walk.end()
    const { unsealed, added } = await readUnsealed(sql)
    const differences = [
      ...walked.differences,
      ...(await readOrphans(sql)),
      ...added,
      ...(await readWrongAccounts(sql)),
      ...(await readMissingSeals(sql)),
      ...(await readLateSeals(sql)),
      ...(await readUnsealedForLong(sql)),
      ...(await compareRemembered(sql, remembered)),
    ].slice(0, MOST_DIFFERENCES)
    return { seals: walked.seals, sealed: walked.sealed, unsealed, differences }
  })) as SealCheck

const readUnsealed = async (sql: Queryable): Promise<{ unsealed: number; added: Found[] }> => {
  const [counted] = await sql<{ unsealed: number }[]>`
    select count(*) as unsealed from ledger_entry entry
    where not exists (select from sealed_entry sealed where sealed.entry_id = entry.id)`
  const added = await sql<Found[]>`
    with unsealed as materialized (
      select id, campaign_id, created_at from ledger_entry entry
      where not exists (select from sealed_entry sealed where sealed.entry_id = entry.id)
    ), newest as materialized (
      select seal.campaign_id, seal.sealed_at, max(sealed.entry_id) as entry_id
      from ledger_seal seal join sealed_entry sealed on sealed.seal_id = seal.id
      group by seal.id
    )
    select 'entry put between sealed ones' as what, entry.id::text, 'unsealed' as stored,
           'none' as recomputed
    from unsealed entry
    where exists (
      select from newest
      where newest.campaign_id = entry.campaign_id and newest.entry_id > entry.id
        and newest.sealed_at > entry.created_at + make_interval(mins => ${LATE_COMMIT_MINUTES}))
    limit ${MOST_DIFFERENCES}`
  return { unsealed: counted?.unsealed ?? 0, added: [...added] }
}
