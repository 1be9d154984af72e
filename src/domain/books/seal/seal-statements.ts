import type { Queryable } from '../../../db/client.ts'
import { isSigned, type ProofKey } from '../../../verifier/index.ts'
import type { Difference } from '../../shared/index.ts'
import { type LeafRow, leafColumns, leafTables } from './leaf.ts'
import type { RememberedHead } from './remembered-heads.ts'
import type { WalkRow } from './seal-walk.ts'

export const MOST_DIFFERENCES = 1_000
const ROWS_AT_ONCE = 1_000
/** An entry is committed within this time after its `created_at`. A later commit is tampering. */
const LATE_COMMIT_MINUTES = 10
/** Workers seal each entry within one hour. An entry without a seal after two hours is reported. */
const SEALED_WITHIN_HOURS = 2

/** SQL condition that `column` has one of the ids `entries`. Empty if `entries` is undefined. */
const among = (sql: Queryable, column: string, entries: readonly number[] | undefined) =>
  entries ? sql`and ${sql(column)} = any(${entries as number[]}::bigint[])` : sql``

/** SQL condition that `column` is a donation of these entries. Empty if `entries` is undefined. */
const donationsOf = (sql: Queryable, column: string, entries: readonly number[] | undefined) =>
  entries
    ? sql`and ${sql(column)} in (
        select donation_id from ledger_entry where true ${among(sql, 'id', entries)})`
    : sql``

export const isSignedBy = (keys: readonly ProofKey[]) => {
  const byKid = new Map(keys.map((key): [string, ProofKey] => [key.kid, key]))
  return async (row: WalkRow): Promise<boolean> => {
    const key = byKid.get(row.keyId)
    const { seq, head, signature } = row
    return (
      typeof key?.x === 'string' &&
      isSigned({ seq, head, globalHead: row.globalHead, signature }, row.sealCampaign, key)
    )
  }
}

/** Reads all seals, or the seals from `fromSeal` on. Each row has one entry if the seal has any. */
export const readWalk = (sql: Queryable, fromSeal?: number) =>
  sql<WalkRow[]>`
  select seal.id as seal_id, seal.campaign_id as seal_campaign, seal.version, seal.seq, seal.entries,
         seal.total_entries, seal.root, seal.previous_head, seal.head, seal.previous_global_head,
         seal.global_head, seal.key_id, seal.signature, seal.sealed_at,
         sealed.entry_id, sealed.leaf, sealed.position as leaf_position,
         ${leafColumns(sql)}
  from ledger_seal seal
  left join sealed_entry sealed on sealed.seal_id = seal.id
  left join ledger_entry entry on entry.id = sealed.entry_id
  ${leafTables(sql)}
  ${fromSeal === undefined ? sql`` : sql`where seal.id >= ${fromSeal}`}
  order by seal.id, sealed.position`.cursor(ROWS_AT_ONCE)

/** Reads the entries without a seal whose id is higher than `above`. */
export const readUnsealed = (sql: Queryable, above: number) =>
  sql<Pick<LeafRow, 'id' | 'campaignId' | 'createdAt'>[]>`
  select entry.id, entry.campaign_id, entry.created_at from ledger_entry entry
  where entry.id > ${above}
    and not exists (select from sealed_entry sealed where sealed.entry_id = entry.id)`.cursor(
    ROWS_AT_ONCE,
  )

export const readOrphans = (sql: Queryable, fromSeal?: number) => sql<Difference[]>`
  select 'seal of sealed entry' as what, sealed.entry_id::text as id, sealed.seal_id::text as stored,
         'gone' as recomputed
  from sealed_entry sealed
  where not exists (select from ledger_seal seal where seal.id = sealed.seal_id)
    ${fromSeal === undefined ? sql`` : sql`and sealed.seal_id >= ${fromSeal}`}
  limit ${MOST_DIFFERENCES}`

/** Finds entries whose accounts belong to another campaign or asset. A seal cannot show this. */
export const readWrongAccounts = (sql: Queryable, entries?: readonly number[]) => sql<Difference[]>`
  select 'account of entry' as what, entry.id::text as id,
         account.campaign_id || ' ' || account.asset_id as stored,
         entry.campaign_id || ' ' || entry.asset_id as recomputed
  from ledger_entry entry
  join ledger_account account on account.id in (entry.debit_account, entry.credit_account)
  where (account.campaign_id, account.asset_id) <> (entry.campaign_id, entry.asset_id)
    ${among(sql, 'entry.id', entries)}
  limit ${MOST_DIFFERENCES}`

/** Finds out if the newest seals were deleted: the id sequence is then ahead of the table. */
export const readMissingSeals = (sql: Queryable) => sql<Difference[]>`
  select 'newest seal' as what, 'of all campaigns' as id, newest::text as stored,
         last_value::text as recomputed
  from (select coalesce(max(id), 0) as newest from ledger_seal) stored, ledger_seal_id_seq
  where is_called and last_value > newest`

/** Finds donations whose proof was queued before their first seal. Only sealing queues a proof. */
export const readLateSeals = (sql: Queryable, entries?: readonly number[]) => sql<Difference[]>`
  select 'seal of donation' as what, proof.donation_id::text as id,
         coalesce(sealed.at::text, 'none') as stored, 'by ' || proof.created_at as recomputed
  from donation_proof proof
  left join (
    select entry.donation_id, min(seal.sealed_at) as at
    from sealed_entry sealed
    join ledger_entry entry on entry.id = sealed.entry_id
    join ledger_seal seal on seal.id = sealed.seal_id
    where true ${donationsOf(sql, 'entry.donation_id', entries)}
    group by entry.donation_id
  ) sealed on sealed.donation_id = proof.donation_id
  where (sealed.at is null
      or sealed.at > proof.created_at + make_interval(mins => ${LATE_COMMIT_MINUTES}))
    ${donationsOf(sql, 'proof.donation_id', entries)}
  limit ${MOST_DIFFERENCES}`

/** Finds entries that had no seal for too long before the last sync. Workers may be stopped now. */
export const readUnsealedForLong = (sql: Queryable, entries?: readonly number[]) => sql<
  Difference[]
>`
  select 'seal of entry' as what, entry.id::text as id, 'none' as stored,
         'by ' || (entry.created_at + late.by) as recomputed
  from ledger_entry entry
  cross join lateral (select make_interval(hours => ${SEALED_WITHIN_HOURS}) as by) late
  where not exists (select from sealed_entry sealed where sealed.entry_id = entry.id)
    and entry.created_at + late.by < (select max(updated_at) from chain_state)
    ${among(sql, 'entry.id', entries)}
  limit ${MOST_DIFFERENCES}`

export const compareRemembered = (sql: Queryable, remembered: readonly RememberedHead[]) =>
  sql<Difference[]>`
  select 'remembered head of campaign' as what, kept."campaignId" || ' ' || kept.seq as id,
         coalesce(hex_of(seal.head), 'gone') as stored, kept.head as recomputed
  from jsonb_to_recordset(${sql.json(remembered as RememberedHead[])})
    as kept ("campaignId" uuid, seq int, head text)
  left join ledger_seal seal on seal.campaign_id = kept."campaignId" and seal.seq = kept.seq
  where seal.head is distinct from bytes_of(kept.head)`
