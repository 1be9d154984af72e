import type { Context } from '../../src/db/context.ts'
import { advanceFinality, settleBatch } from '../../src/domain/blocks/index.ts'
import { CHAIN_ID } from './chain-facts.ts'

/** Makes the blocks up to a number final, and settles all donations. Returns their number. */
export const finalise = async (
  ctx: Context,
  number: number,
  hash: string | null = null,
): Promise<number> => {
  await advanceFinality(ctx, CHAIN_ID, { number, hash })
  let settled = 0
  for (;;) {
    const batch = await settleBatch(ctx, CHAIN_ID)
    if (batch === 0) return settled
    settled += batch
  }
}
