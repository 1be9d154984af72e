import { withTransaction } from '../../db/transaction.ts'
import { lockChainRow } from '../chain-state/index.ts'
import type { Context } from '../context.ts'
import type { FoundDifference } from './difference.ts'
import { settleDifferences } from './settle-differences.ts'

/** Opens a difference unless it is already open. Returns whether it is new. */
export const openDifference = async (
  ctx: Context,
  chainId: number,
  found: FoundDifference,
): Promise<boolean> =>
  withTransaction(ctx, async (ctx) => {
    await lockChainRow(ctx, chainId)
    const opened = await settleDifferences(ctx, {
      chainId,
      runId: null,
      found: [found],
      examined: () => false,
      resolution: '',
    })
    return opened > 0
  })
