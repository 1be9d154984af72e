import type { Context } from '../context.ts'

/** A donation whose proof is to be fetched from its chain. */
export type DueProof = {
  donationId: string
  transferId: string
  blockHash: string
  txHash: string
  position: number
  sender: string
  /** The account that was paid. */
  account: string
}

const FIRST_RETRY_S = 15
const LAST_RETRY_S = 3_600

/**
 * Takes proofs that are due, so that no other process fetches the same ones. Each is due again by
 * itself, ever later, until it is stored.
 */
export const claimProofs = async (
  ctx: Context,
  chainId: number,
  limit: number,
): Promise<DueProof[]> => {
  const now = ctx.clock.now()
  return await ctx.sql<DueProof[]>`
    with due as (
      select donation_id from donation_proof
      where chain_id = ${chainId} and proof is null and next_try_at <= ${now}
      order by next_try_at limit ${limit} for update skip locked)
    update donation_proof wanted
    set tries = wanted.tries + 1,
        next_try_at = ${now}::timestamptz
          + make_interval(secs => least(${LAST_RETRY_S}, ${FIRST_RETRY_S} * 2 ^ least(wanted.tries, 16)))
    from due, chain_transfer transfer
    where wanted.donation_id = due.donation_id and transfer.id = wanted.transfer_id
    returning wanted.donation_id as "donationId", wanted.transfer_id as "transferId",
              wanted.block_hash as "blockHash", transfer.tx_hash as "txHash", transfer.position,
              transfer.sender, transfer.recipient as account`
}
