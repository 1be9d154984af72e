import type { ChainState as StateRow } from '../../db/schema/chains.ts'
import { DomainError } from '../../kernel/errors.ts'
import type { Context } from '../context.ts'

export type BlockRef = { number: number; hash: string }

/** The progress of a chain's sync, and the newest and the final block that its nodes reported. */
export type ChainState = Pick<
  StateRow,
  | 'chainId'
  | 'headNumber'
  | 'finalizedNumber'
  /** The ledger has every final transfer up to this block. */
  | 'bookedNumber'
  /** The time when finality last moved; null if it never moved. */
  | 'finalizedMovedAt'
> & {
  cursor: BlockRef
  /** Whether we lack the nodes' final block. No donation is settled on a halted chain. */
  halted: boolean
}

export const toState = ({ cursorNumber, cursorHash, haltedAt, ...row }: StateRow): ChainState => ({
  ...row,
  cursor: { number: cursorNumber, hash: cursorHash },
  halted: haltedAt !== null,
})

/**
 * Locks the chain's row until the transaction ends. Workers that change a chain's donations or
 * money take this lock, so their changes happen one after the other.
 */
export const lockChainRow = async (ctx: Context, chainId: number): Promise<ChainState> => {
  const [row] = await ctx.sql<StateRow[]>`
    select * from chain_state where chain_id = ${chainId} for update`
  if (!row) throw new DomainError('internal', 'This chain has never been indexed.')
  return toState(row)
}
