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
  chainId: number
  cursorNumber: number
  cursorHash: string
  headNumber: number
  finalizedNumber: number
  bookedNumber: number
  finalizedMovedAt: Date | null
  haltedAt: Date | null
}

export const toState = (row: StateRow): ChainState => ({
  chainId: row.chainId,
  cursor: { number: row.cursorNumber, hash: row.cursorHash },
  headNumber: row.headNumber,
  finalizedNumber: row.finalizedNumber,
  bookedNumber: row.bookedNumber,
  finalizedMovedAt: row.finalizedMovedAt,
  halted: row.haltedAt !== null,
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
