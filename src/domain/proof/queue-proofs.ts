import type { Context } from '../context.ts'
import { databaseNow } from '../database-time.ts'

/** The version of the format of `donation_proof.proof`. */
export const PROOF_VERSION = 1

/**
 * Queues the proofs of those donations that have a credit, and again after a reorg moved the
 * transfer. A reversed credit needs none. Part of the transaction that seals the entries, so that
 * none is missed.
 */
export const queueProofs = async (ctx: Context, donationIds: string[]): Promise<void> => {
  await ctx.sql`
    delete from donation_proof unwanted
    using donation
    where unwanted.donation_id = any(${donationIds}::uuid[])
      and donation.id = unwanted.donation_id and donation.status <> 'completed'`
  await ctx.sql`
    insert into donation_proof
      (donation_id, transfer_id, chain_id, block_hash, version, next_try_at, created_at)
    select donation.id, transfer.id, transfer.chain_id, transfer.block_hash, ${PROOF_VERSION},
           ${databaseNow(ctx)}, ${ctx.clock.now()}
    from donation join chain_transfer transfer on transfer.id = donation.transfer_id
    where donation.id = any(${donationIds}::uuid[]) and donation.status = 'completed'
      and transfer.block_hash is not null
    on conflict (donation_id) do update
    set transfer_id = excluded.transfer_id, chain_id = excluded.chain_id,
        block_hash = excluded.block_hash, version = excluded.version, proof = null, tries = 0,
        next_try_at = excluded.next_try_at
    where (donation_proof.transfer_id, donation_proof.block_hash, donation_proof.version)
       <> (excluded.transfer_id, excluded.block_hash, excluded.version)`
}
