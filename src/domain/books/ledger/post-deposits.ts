import type { Context } from '../../../db/context.ts'
import { type Line, postLines } from './post-lines.ts'

/** A final transfer to a campaign's account without a credited donation. */
export type Deposit = Pick<
  Line,
  'campaignId' | 'generation' | 'assetId' | 'amount' | 'blockNumber' | 'blockHash'
> & { transferId: string }

/** Posts each deposit once per transfer and generation: debits `custody`, credits `unclaimed`. */
export const postDeposits = (ctx: Context, deposits: readonly Deposit[]): Promise<void> =>
  postLines(
    ctx,
    deposits.map((deposit) => ({
      ...deposit,
      kind: 'deposit',
      debitKind: 'custody',
      creditKind: 'unclaimed',
    })),
  )
