import type { ChainState as StateRow } from '../../db/schema/chains.ts'
import { DomainError } from '../../kernel/errors.ts'
import type { Context } from '../context.ts'

export type BlockRef = { number: number; hash: string }

/** How far a chain has been read, and which blocks its nodes last reported. */
export type ChainState = Pick<
  StateRow,
  | 'chainId'
  | 'headNumber'
  | 'finalizedNumber'
  /** Every final transfer up to here is in the ledger. */
  | 'bookedNumber'
  /** When finality last moved; null before it ever did. */
  | 'finalizedMovedAt'
> & {
  cursor: BlockRef
  /** The nodes' final block is not in our chain. Nothing is settled until it is. */
  halted: boolean
}

export const toState = ({ cursorNumber, cursorHash, haltedAt, ...row }: StateRow): ChainState => ({
  ...row,
  cursor: { number: cursorNumber, hash: cursorHash },
  halted: haltedAt !== null,
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
