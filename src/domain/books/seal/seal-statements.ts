import type { Part, Queryable } from '../../../db/client.ts'
import { isSigned, type ProofKey } from '../../../verifier/index.ts'
import type { Difference } from '../../shared/index.ts'
import { among, MOST_DIFFERENCES, type Slice } from '../ranges/slice.ts'
import { leafColumns, leafTables } from './leaf.ts'
import type { RememberedHead } from './remembered-heads.ts'
import type { Tip, WalkRow } from './seal-walk.ts'

const ROWS_AT_ONCE = 1_000
/** An entry is committed within this time after its `created_at`. A later commit is tampering. */
const LATE_COMMIT_MINUTES = 10
/** Workers seal each entry within one hour. An entry without a seal after two hours is reported. */
const SEALED_WITHIN_HOURS = 2

/** The newest entry of a campaign is in one of this number of its last seals. */
const LAST_SEALS = 10

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

/** Reads seals. Each row has one entry if the seal has any. */
export const readWalk = (sql: Queryable, slice: Slice) =>
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
  where true ${among(sql, 'seal.id', slice, 'seals')}
  order by seal.id, sealed.position`.cursor(ROWS_AT_ONCE)

/** Reads the last seal of all before the seals in `slice`. */
export const readLast = async (sql: Queryable, after: string | null) => {
  const [last] = await sql<{ id: number; globalHead: string }[]>`
    select id, global_head from ledger_seal where id <= ${after ?? '0'}::bigint
    order by id desc limit 1`
  return last
}

/** Reads the last seal of each campaign that has a seal in `slice`, before these seals. */
export const readTips = (sql: Queryable, slice: Slice, after: string | null) =>
  sql<(Tip & { campaignId: string })[]>`
    with first as (
      select distinct on (campaign_id) campaign_id, seq from ledger_seal
      where true ${among(sql, 'id', slice, 'seals')}
      order by campaign_id, id
    )
    select tip.campaign_id, tip.seq, tip.head, tip.total_entries, newest.entry_id as newest_entry,
           newest.sealed_at
    from first
    cross join lateral (
      select * from ledger_seal
      where campaign_id = first.campaign_id and seq < first.seq
      order by seq desc limit 1) tip
    cross join lateral (${newestEntry(sql, sql`tip.campaign_id and earlier.seq <= tip.seq`)}) newest
    where tip.id <= ${after ?? '0'}::bigint`

/**
 * SQL for the newest sealed entry of a campaign, and the time of its seal. The last position of a
 * seal has the newest entry.
 */
const newestEntry = (sql: Queryable, campaign: Part) => sql`
  select coalesce(sealed.entry_id, 0) as entry_id, last.sealed_at
  from (
    select id, sealed_at from ledger_seal earlier
    where earlier.campaign_id = ${campaign}
    order by earlier.seq desc limit ${LAST_SEALS}
  ) last
  left join lateral (
    select entry_id from sealed_entry where seal_id = last.id order by position desc limit 1
  ) sealed on true
  order by sealed.entry_id desc nulls last limit 1`

/** An entry without a seal. `isBetween`: newer entries of its campaign were sealed long before. */
type Unsealed = { id: number; isBetween: boolean }

/** Reads the entries without a seal. */
export const readUnsealed = (sql: Queryable, slice: Slice) =>
  sql<Unsealed[]>`
    select entry.id, coalesce(entry.id < newest.entry_id and entry.created_at
             < newest.sealed_at - make_interval(mins => ${LATE_COMMIT_MINUTES}), false) as is_between
    from ledger_entry entry
    left join lateral (${newestEntry(sql, sql`entry.campaign_id`)}) newest on true
    where not exists (select from sealed_entry sealed where sealed.entry_id = entry.id)
      ${among(sql, 'entry.id', slice, 'entries')}`.cursor(ROWS_AT_ONCE)

/** Finds entries in `slice` whose seal is gone. */
export const readOrphans = (sql: Queryable, slice: Slice) => sql<Difference[]>`
  select 'seal of sealed entry' as what, sealed.entry_id::text as id, sealed.seal_id::text as stored,
         'gone' as recomputed
  from sealed_entry sealed
  where not exists (select from ledger_seal seal where seal.id = sealed.seal_id)
    ${among(sql, 'sealed.seal_id', slice, 'seals')}
  order by sealed.entry_id limit ${MOST_DIFFERENCES}`

/** Finds entries whose accounts belong to another campaign or asset. A seal cannot show this. */
export const readWrongAccounts = (sql: Queryable, slice: Slice) => sql<Difference[]>`
  select 'account of entry' as what, entry.id::text as id,
         account.campaign_id || ' ' || account.asset_id as stored,
         entry.campaign_id || ' ' || entry.asset_id as recomputed
  from ledger_entry entry
  join ledger_account account on account.id in (entry.debit_account, entry.credit_account)
  where (account.campaign_id, account.asset_id) <> (entry.campaign_id, entry.asset_id)
    ${among(sql, 'entry.id', slice, 'entries')}
  limit ${MOST_DIFFERENCES}`

/**
 * The id of the newest seal that was ever committed; 0 at first. It must be read before a snapshot,
 * because a sequence has no snapshots, and entries may be sealed meanwhile.
 */
export const readIssuedSeal = async (pool: Queryable): Promise<number> => {
  const [row] = await pool<{ issued: number }[]>`
    select case when is_called then last_value else 0 end as issued from ledger_seal_id_seq`
  return row?.issued ?? 0
}

/** Finds out if the newest seals were deleted: the id sequence was then ahead of the table. */
export const readMissingSeals = (sql: Queryable, issued: number) => sql<Difference[]>`
  select 'newest seal' as what, 'of all campaigns' as id, newest::text as stored,
         ${issued}::text as recomputed
  from (select coalesce(max(id), 0) as newest from ledger_seal) stored
  where ${issued} > newest`

/** Finds donations whose proof was queued before their first seal. Only sealing queues a proof. */
export const readLateSeals = (sql: Queryable, slice: Slice) => sql<Difference[]>`
  select 'seal of donation' as what, proof.donation_id::text as id,
         coalesce(sealed.at::text, 'none') as stored, 'by ' || proof.created_at as recomputed
  from donation_proof proof
  cross join lateral (
    select min(seal.sealed_at) as at
    from ledger_entry entry
    join sealed_entry sealed on sealed.entry_id = entry.id
    join ledger_seal seal on seal.id = sealed.seal_id
    where entry.donation_id = proof.donation_id
  ) sealed
  where (sealed.at is null
      or sealed.at > proof.created_at + make_interval(mins => ${LATE_COMMIT_MINUTES}))
    ${among(sql, 'proof.donation_id', slice, 'donations')}
  limit ${MOST_DIFFERENCES}`

/** Finds entries that had no seal for too long before the last sync. Workers may be stopped now. */
export const readUnsealedForLong = (sql: Queryable, slice: Slice) => sql<Difference[]>`
  select 'seal of entry' as what, entry.id::text as id, 'none' as stored,
         'by ' || (entry.created_at + late.by) as recomputed
  from ledger_entry entry
  cross join lateral (select make_interval(hours => ${SEALED_WITHIN_HOURS}) as by) late
  where not exists (select from sealed_entry sealed where sealed.entry_id = entry.id)
    and entry.created_at + late.by < (select max(updated_at) from chain_state)
    ${among(sql, 'entry.id', slice, 'entries')}
  limit ${MOST_DIFFERENCES}`

export const compareRemembered = (sql: Queryable, remembered: readonly RememberedHead[]) =>
  sql<Difference[]>`
  select 'remembered head of campaign' as what, kept."campaignId" || ' ' || kept.seq as id,
         coalesce(hex_of(seal.head), 'gone') as stored, kept.head as recomputed
  from jsonb_to_recordset(${sql.json(remembered as RememberedHead[])})
    as kept ("campaignId" uuid, seq int, head text)
  left join ledger_seal seal on seal.campaign_id = kept."campaignId" and seal.seq = kept.seq
  where seal.head is distinct from bytes_of(kept.head)`
