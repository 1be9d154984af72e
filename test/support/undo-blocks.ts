import type { Context } from '../../src/db/context.ts'
import { revertBlocks } from '../../src/domain/blocks/index.ts'
import { blockHash, CHAIN_ID } from './chain-facts.ts'

/** Reverts the blocks above an ancestor, from the head of a branch on. */
export const undoBlocks = (ctx: Context, head: number, ancestor: number, branch = 'main') =>
  revertBlocks(ctx, {
    chainId: CHAIN_ID,
    from: { number: head, hash: blockHash(head, branch) },
    ancestor: { number: ancestor, hash: blockHash(ancestor) },
  })
