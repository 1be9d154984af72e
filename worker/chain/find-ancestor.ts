import type { ChainClient } from '../../src/chain/index.ts'
import { type BlockRef, knownHashes, oldestKnown } from '../../src/domain/chain/index.ts'
import type { Context } from '../../src/domain/context.ts'

const FIRST_STEP = 8
const LONGEST_STEP = 512

/**
 * Finds the newest stored block at or below `from` that is also in the nodes' chain. Goes back in
 * growing batches. Returns null if the nodes have none of the stored blocks.
 */
export const findAncestor = async (
  ctx: Context,
  client: ChainClient,
  from: number,
): Promise<BlockRef | null> => {
  const oldest = await oldestKnown(ctx, client.chainId)
  let step = FIRST_STEP
  for (let top = from; top >= oldest; ) {
    const bottom = Math.max(oldest, top - step + 1)
    const known = await knownHashes(ctx, client.chainId, bottom, top)
    const numbers = Array.from({ length: top - bottom + 1 }, (_, index) => top - index)
    const headers = await client.headers(numbers)
    for (const [index, number] of numbers.entries()) {
      const hash = headers[index]?.hash
      if (hash !== undefined && hash === known.get(number)) return { number, hash }
    }
    top = bottom - 1
    step = Math.min(step * 4, LONGEST_STEP)
  }
  return null
}
