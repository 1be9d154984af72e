import type { Context } from '../../../db/context.ts'
import type { ChainTransfer } from '../../../db/schema/chains.ts'
import type { DonationProof as ProofRow } from '../../../db/schema/donations.ts'
import { packJson } from '../../../kernel/formats/packed-json.ts'
import type { Descent } from '../../../verifier/consensus/index.ts'
import type { DonationProof } from '../../../verifier/index.ts'
import { databaseNow, databaseTimeIn } from '../../shared/index.ts'

/** The version of the format of `donation_proof.proof`. */
export const PROOF_VERSION = 1

/** A worker has this time to store the proofs that it claimed. Then these proofs are due again. */
const CLAIM_MS = 600_000
const FIRST_RETRY_S = 15
const LAST_RETRY_S = 3_600

/**
 * Queues a proof for each completed donation, or a new proof if a reorg has moved the transfer.
 * Deletes proofs of donations that are not completed any more. Runs in the transaction that seals
 * the ledger entries.
 */
export const queueProofs = async (ctx: Context, donationIds: string[]): Promise<void> => {
  await ctx.sql`
    delete from donation_proof unwanted
    using donation
    where unwanted.donation_id = any(${donationIds}::uuid[])
      and donation.id = unwanted.donation_id and donation.status not in ('completed', 'partly_refunded', 'refunded')`
  await ctx.sql`
    insert into donation_proof
      (donation_id, transfer_id, chain_id, block_hash, version, next_try_at, created_at)
    select donation.id, transfer.id, transfer.chain_id, transfer.block_hash, ${PROOF_VERSION},
           ${databaseNow(ctx)}, ${ctx.clock.now()}
    from donation join chain_transfer transfer on transfer.id = donation.transfer_id
    where donation.id = any(${donationIds}::uuid[]) and donation.status in ('completed', 'partly_refunded', 'refunded')
      and transfer.block_hash is not null
    on conflict (donation_id) do update
    set transfer_id = excluded.transfer_id, chain_id = excluded.chain_id,
        block_hash = excluded.block_hash, version = excluded.version, proof = null, sender = null,
        tries = 0, next_try_at = excluded.next_try_at
    where (donation_proof.transfer_id, donation_proof.block_hash, donation_proof.version)
       <> (excluded.transfer_id, excluded.block_hash, excluded.version)`
}

/** A donation that needs a proof from its chain. `account` received the payment. */
export type DueProof = Pick<ProofRow, 'donationId' | 'transferId' | 'blockHash' | 'tries'> &
  Pick<ChainTransfer, 'txHash' | 'position' | 'sender'> & { account: string }

/** Proofs that a worker has leased until the time `until`; `until` is null if no proof was due. */
export type ClaimedProofs = { until: Date | null; due: DueProof[] }

/**
 * Leases due proofs to the caller, so that no other process fetches them. Of proofs that are due at
 * the same time, proofs of one block come together. `returnProofs` releases unstored proofs.
 */
export const claimProofs = async (
  ctx: Context,
  chainId: number,
  limit: number,
): Promise<ClaimedProofs> => {
  const rows = await ctx.sql<(DueProof & { until: Date })[]>`
    with due as (
      select donation_id from donation_proof
      where chain_id = ${chainId} and proof is null and next_try_at <= ${databaseNow(ctx)}
      order by next_try_at, block_hash limit ${limit} for update skip locked)
    update donation_proof wanted
    set tries = wanted.tries + 1, next_try_at = ${databaseTimeIn(ctx, CLAIM_MS)}
    from due, chain_transfer transfer
    where wanted.donation_id = due.donation_id and transfer.id = wanted.transfer_id
    returning wanted.donation_id, wanted.transfer_id, wanted.block_hash, wanted.tries, transfer.tx_hash,
              transfer.position, transfer.sender, transfer.recipient as account,
              wanted.next_try_at as until`
  return { until: rows[0]?.until ?? null, due: rows.map(({ until: _, ...due }) => due) }
}

/**
 * Releases claimed proofs that were not stored. A proof in `tried` is due after a pause, which
 * doubles with each try, and any other proof is due at once. A proof that another worker has
 * claimed meanwhile does not change.
 *
 * @param tried the ids of the donations for which the caller asked a node
 */
export const returnProofs = async (
  ctx: Context,
  { until, due }: ClaimedProofs,
  tried: ReadonlySet<string>,
): Promise<void> => {
  if (until === null) return
  const rows = due.map(({ donationId }) => ({ id: donationId, tried: tried.has(donationId) }))
  await ctx.sql`
    update donation_proof wanted
    set tries = case when row.tried then wanted.tries else wanted.tries - 1 end,
        next_try_at = case when row.tried
          then ${databaseNow(ctx)} + make_interval(secs =>
            least(${LAST_RETRY_S}, ${FIRST_RETRY_S} * 2 ^ least(wanted.tries - 1, 16)))
          else ${databaseNow(ctx)} end
    from jsonb_to_recordset(${ctx.sql.json(rows)}) as row (id uuid, tried boolean)
    where wanted.donation_id = row.id and wanted.proof is null and wanted.next_try_at = ${until}`
}

/**
 * Makes proofs due now if their next try is later than the longest pause allows, which happens if
 * the database's clock was ahead when the try was planned.
 */
export const clampProofs = async (ctx: Context, limit: number): Promise<number> => {
  const clamped = await ctx.sql`
    update donation_proof set next_try_at = ${databaseNow(ctx)}
    where donation_id in (
      select donation_id from donation_proof
      where chain_id = any(${ctx.settings.assets.chainIds}::bigint[]) and proof is null
        and next_try_at > ${databaseTimeIn(ctx, LAST_RETRY_S * 1_000)}
      limit ${limit} for update skip locked)`
  return clamped.count
}

/** The part of a proof that comes from the chain. `sender` is null if no data proves the payer. */
export type ChainEvidence = Pick<
  DonationProof,
  'index' | 'receipt' | 'transaction' | 'balance' | 'block'
> & {
  sender: string | null
  /** The way from a final block, which the committee of the chain has signed, down to the block. */
  finality?: Descent & { from: number }
}

export type Packed = Omit<ChainEvidence, 'sender'>

export type FetchedProof = Pick<ProofRow, 'donationId' | 'transferId' | 'blockHash'> & {
  evidence: ChainEvidence
}

/**
 * Stores fetched proofs, except if a reorg has moved the transfer to another block. Returns the
 * number of stored proofs.
 */
export const storeProofs = async (
  { sql }: Context,
  fetched: readonly FetchedProof[],
): Promise<number> => {
  if (fetched.length === 0) return 0
  const rows = fetched.map(({ evidence: { sender, ...evidence }, ...place }) => ({
    ...{ ...place, sender },
    proof: packJson(evidence),
  }))
  const stored = await sql`
    update donation_proof wanted
    set proof = bytes_of(row.proof), sender = bytes_of(row.sender)
    from jsonb_to_recordset(${sql.json(rows)})
      as row ("donationId" uuid, "transferId" uuid, "blockHash" text, proof text, sender text)
    where wanted.donation_id = row."donationId" and wanted.transfer_id = row."transferId"
      and wanted.block_hash = bytes_of(row."blockHash") and wanted.proof is null`
  return stored.count
}
