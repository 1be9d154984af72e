import type { Context } from '../../../db/context.ts'
import { postLines } from './post-lines.ts'

/** A final transfer to a campaign's account without a credited donation. */
export type Deposit = {
  campaignId: string
  transferId: string
  /** The number of times that the entries of this transfer were reversed. */
  generation: number
  assetId: string
  amount: string
  blockNumber: number
  blockHash: string
}

/** Posts each deposit once per transfer and generation: debits `custody`, credits `unclaimed`. */
export const postDeposits = (ctx: Context, deposits: readonly Deposit[]): Promise<void> =>
  postLines(
    ctx,
    deposits.map((deposit) => ({
      kind: 'deposit',
      debit_kind: 'custody',
      credit_kind: 'unclaimed',
      asset_id: deposit.assetId,
      amount: deposit.amount,
      campaign_id: deposit.campaignId,
      donation_id: null,
      transfer_id: deposit.transferId,
      generation: deposit.generation,
      block_number: deposit.blockNumber,
      block_hash: deposit.blockHash,
    })),
  )
