import { DomainError } from '../../kernel/errors.ts'
import type { Context } from '../context.ts'

export type BlockRef = { number: number; hash: string }

/** How far a chain has been read, and which blocks its nodes last reported. */
export type ChainState = {
  chainId: number
  cursor: BlockRef
  headNumber: number
  finalizedNumber: number
  /** Every final transfer up to here is in the ledger. */
  bookedNumber: number
  /** When finality last moved; null before it ever did. */
  finalizedMovedAt: Date | null
  /** The nodes' final block is not in our chain. Nothing is settled until it is. */
  halted: boolean
}

/** A row of `chain_state`. */
export type StateRow = {
  chain_id: number
  cursor_number: number
  cursor_hash: string
  head_number: number
  finalized_number: number
  booked_number: number
  finalized_moved_at: Date | null
  halted_at: Date | null
}

export const toState = (row: StateRow): ChainState => ({
  chainId: row.chain_id,
  cursor: { number: row.cursor_number, hash: row.cursor_hash },
  headNumber: row.head_number,
  finalizedNumber: row.finalized_number,
  bookedNumber: row.booked_number,
  finalizedMovedAt: row.finalized_moved_at,
  halted: row.halted_at !== null,
})

/**
 * Locks the chain's row for the rest of the transaction, so that the changes which a chain makes to
 * donations and money happen one after the other, however many workers index it.
 */
export const lockChainRow = async (ctx: Context, chainId: number): Promise<ChainState> => {
  const [row] = await ctx.sql<StateRow[]>`
    select * from chain_state where chain_id = ${chainId} for update`
  if (!row) throw new DomainError('internal', 'This chain has never been indexed.')
  return toState(row)
}
