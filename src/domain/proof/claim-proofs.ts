import type { Context } from '../context.ts'
import { databaseNow, databaseTimeIn } from '../database-time.ts'

/** A donation whose proof is to be fetched from its chain. */
export type DueProof = {
  donationId: string
  transferId: string
  blockHash: string
  txHash: string
  position: number
  sender: string
  /** The receiving account. */
  account: string
}

/** Proofs leased to one worker until `until`, which is null if none was due. */
export type ClaimedProofs = { until: Date | null; due: DueProof[] }

/** Longer than a worker needs for one claim. The proofs of a dead worker are due again after it. */
const CLAIM_MS = 600_000

/**
 * Leases due proofs to the caller, so that no other process fetches them, those of a block after
 * one another. The caller gives back what it cannot store: see `returnProofs`.
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
    returning wanted.donation_id as "donationId", wanted.transfer_id as "transferId",
              wanted.block_hash as "blockHash", transfer.tx_hash as "txHash", transfer.position,
              transfer.sender, transfer.recipient as account, wanted.next_try_at as until`
  return { until: rows[0]?.until ?? null, due: rows.map(({ until: _, ...due }) => due) }
}
