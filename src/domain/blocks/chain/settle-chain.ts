import type { Context } from '../../../db/context.ts'
import { withTransaction } from '../../../db/transaction.ts'
import { bookDeposits } from '../../donations/index.ts'
import { type ChainState, lockChainRow } from '../../shared/index.ts'
import { settleEscrowEvents } from '../follow-escrow/settle-events.ts'
import { matchStoredTransfers } from '../match/match-late.ts'
import { SETTLE_BATCH, settleDonations } from '../settle/settle-donations.ts'

/**
 * Settles one batch of final donations, and posts final transfers without a donation as deposits.
 * So custody in the ledger equals the income on the chain. Settles final events of escrows, which
 * pay out this income, when no donation and no deposit is left. Does nothing on a halted chain.
 * Returns the number of changes; the caller must call again until this number is 0.
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
    const income = settled + deposits
    const events = income === 0 ? await settleEscrowEvents(ctx, chainId, final) : 0
    beforeCommit()
    return income + events
  })

/** A transaction searches at most this many block ranges for the first new deposit. */
const MAX_LOOKS = 20

/** Returns the number of new deposits, or 1 without a deposit if blocks remain to be searched. */
const book = async (ctx: Context, state: ChainState, final: number): Promise<number> => {
  let reached = state.bookedNumber
  for (let look = 0; look < MAX_LOOKS; look++) {
    const { booked, bookedNumber } = await bookDeposits(ctx, state.chainId, reached, final)
    if (booked > 0 || bookedNumber >= final) return booked
    reached = bookedNumber
  }
  return 1
}

/** Matches stored transfers with due intents, and with donations that were recorded later. */
export const matchLateDonations = async (ctx: Context, chainId: number): Promise<number> =>
  withTransaction(ctx, async (ctx) => {
    await lockChainRow(ctx, chainId)
    return matchStoredTransfers(ctx, chainId)
  })
