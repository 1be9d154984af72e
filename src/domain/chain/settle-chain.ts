import { withTransaction } from '../../db/transaction.ts'
import type { Context } from '../context.ts'
import { bookDeposits } from '../deposit/index.ts'
import { matchStoredTransfers, SETTLE_BATCH, settleDonations } from '../donation/index.ts'
import { type ChainState, lockChainRow } from './chain-state.ts'

/**
 * Settles one batch of what is final, in one transaction: donations first, and once none is left,
 * what arrived without one is booked as deposits, so that the ledger's custody is what the chain
 * paid in. Returns how much it did; call again until it is 0. A halted chain settles nothing.
 */
export const settleBatch = async (
  ctx: Context,
  chainId: number,
  beforeCommit: () => void = () => {},
): Promise<number> =>
  withTransaction(ctx, async (ctx) => {
    const state = await lockChainRow(ctx, chainId)
    if (state.halted) return 0
    const final = Math.min(state.finalizedNumber, state.cursor.number)
    const settled = await settleDonations(ctx, chainId, final, state.headNumber)
    const deposits = settled < SETTLE_BATCH ? await book(ctx, state, final) : 0
    beforeCommit()
    return settled + deposits
  })

/** How often one transaction looks on where everything was in the ledger already. */
const MAX_LOOKS = 20

/** How many deposits were booked; 1 where none was, but there is more to look through. */
const book = async (ctx: Context, state: ChainState, final: number): Promise<number> => {
  let reached = state.bookedNumber
  for (let look = 0; look < MAX_LOOKS; look++) {
    const { booked, bookedNumber } = await bookDeposits(ctx, state.chainId, reached, final)
    if (booked > 0 || bookedNumber >= final) return booked
    reached = bookedNumber
  }
  return 1
}

/** Matches donations that were recorded after their transfer had been seen. */
export const matchLateDonations = async (ctx: Context, chainId: number): Promise<number> =>
  withTransaction(ctx, async (ctx) => {
    await lockChainRow(ctx, chainId)
    return matchStoredTransfers(ctx, chainId)
  })
