import type { Context } from '../../db/context.ts'
import type { ChainState as StateRow } from '../../db/schema/chains.ts'
import { DomainError } from '../../kernel/errors.ts'

export type BlockRef = { number: number; hash: string }

/** The progress of a chain's sync, and the newest and the final block that its nodes reported. */
export type ChainState = Pick<
  StateRow,
  | 'chainId'
  | 'headNumber'
  | 'finalizedNumber'
  /** The ledger has all final transfers up to the block with this number. */
  | 'bookedNumber'
  /** The final block of the nodes; null if no sync committee must prove it too. */
  | 'claimedNumber'
  /** The time when `finalizedNumber` last changed; null if the number never changed. */
  | 'finalizedMovedAt'
> & {
  cursor: BlockRef
  /** True if a stored block contradicts the nodes' final block. Then no donation is settled. */
  halted: boolean
}

export const toState = ({ cursorNumber, cursorHash, haltedAt, ...row }: StateRow): ChainState => ({
  ...row,
  cursor: { number: cursorNumber, hash: cursorHash },
  halted: haltedAt !== null,
})

/**
 * Locks the chain's row until the transaction ends. A transaction that changes a chain's donations,
 * ledger entries or escrow events, or that opens a campaign, takes this lock before it locks
 * campaigns, milestones or donations. So such transactions run one after the other.
 */
export const lockChainRow = async (ctx: Context, chainId: number): Promise<ChainState> => {
  const state = await lockChainIfSynced(ctx, chainId)
  if (!state) throw new DomainError('internal', 'This chain has never been indexed.')
  return state
}

/** Like `lockChainRow`, for a chain that may never have been synced: then there is no row. */
export const lockChainIfSynced = async (
  ctx: Context,
  chainId: number,
): Promise<ChainState | undefined> => {
  const [row] = await ctx.sql<StateRow[]>`
    select * from chain_state where chain_id = ${chainId} for update`
  return row && toState(row)
}
