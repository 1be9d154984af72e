import type { Queryable } from '../../../db/client.ts'
import type { ProofEntry, ProofKey, ProofSeal } from '../../../verifier/index.ts'
import { type LeafRow, leafColumns, leafTables, toLeaf } from './leaf.ts'
import { merklePath } from './merkle.ts'

/** A donation's sealed entries with their seals, and the number of its entries without a seal. */
type SealedEntries = {
  entries: ProofEntry[]
  seals: ProofSeal[]
  keys: ProofKey[]
  unsealed: number
}

type Row = LeafRow & { sealId: number | null; sealPosition: number | null }
type SealRow = Omit<ProofSeal, 'sealedAt'> & {
  id: number
  sealedAt: Date
  leaves: string[]
  key: Omit<ProofKey, 'kid'>
}

/** Reads the entries of a donation and of its unreversed deposit, each with its Merkle proof. */
export const sealedEntriesOf = async (
  sql: Queryable,
  donation: { id: string; campaignId: string; transferId: string },
): Promise<SealedEntries> => {
  const rows = await sql<Row[]>`
    select ${leafColumns(sql)}, sealed.seal_id, sealed.position as seal_position
    from ledger_entry entry ${leafTables(sql)}
    left join sealed_entry sealed on sealed.entry_id = entry.id
    where entry.id in (
      select id from ledger_entry
      where donation_id = ${donation.id} and escrow_event_id is null
      union all
      select deposit.id from standing_entry deposit
      where deposit.transfer_id = ${donation.transferId} and deposit.kind = 'deposit'
        and deposit.campaign_id = ${donation.campaignId})
    order by entry.id`
  const ids = [...new Set(rows.flatMap((row) => row.sealId ?? []))]
  const seals = await readSeals(sql, ids)
  const byId = new Map(seals.map((seal) => [seal.id, seal]))
  const entries = rows.flatMap((row): ProofEntry[] => {
    const seal = byId.get(row.sealId ?? 0)
    const position = row.sealPosition
    if (!seal || position === null) return []
    return [{ ...toLeaf(row), seal: seal.seq, position, path: merklePath(seal.leaves, position) }]
  })
  const keys = new Map(seals.map(({ keyId, key }) => [keyId, { ...key, kid: keyId }]))
  return {
    entries,
    seals: seals.map(toProofSeal),
    keys: [...keys.values()],
    unsealed: rows.length - entries.length,
  }
}

const readSeals = async (sql: Queryable, ids: number[]): Promise<SealRow[]> =>
  ids.length === 0
    ? []
    : await sql<SealRow[]>`
        select seal.id, seal.seq, seal.previous_head, seal.root, seal.entries, seal.total_entries,
               seal.sealed_at, seal.head, seal.previous_global_head, seal.global_head, seal.key_id,
               seal.signature, seal_key.public_jwk as key,
               array(select leaf from sealed_entry where seal_id = seal.id order by position) as leaves
        from ledger_seal seal join seal_key on seal_key.kid = seal.key_id
        where seal.id = any(${ids}::bigint[])
        order by seal.id`

const toProofSeal = ({ id: _, leaves: __, key: ___, ...seal }: SealRow): ProofSeal => ({
  ...seal,
  sealedAt: seal.sealedAt.toISOString(),
})
