import type { ChainClient } from '../../src/chain/index.ts'
import type { Context } from '../../src/db/context.ts'
import { knownHash, oldestKnown } from '../../src/domain/blocks/index.ts'
import type { BlockRef } from '../../src/domain/shared/index.ts'

/** About a day of Ethereum. An older block would take too many requests. */
const MOST_HEADERS = 8_192
const AT_ONCE = 256

/**
 * Whether a block is an ancestor of the oldest stored block, by the parents in all headers between
 * them. What proves the stored block then proves this one too.
 */
export const isLinked = async (
  ctx: Context,
  client: Pick<ChainClient, 'chainId' | 'headers'>,
  { number, hash }: BlockRef,
): Promise<boolean> => {
  const oldest = await oldestKnown(ctx, client.chainId)
  if (oldest - number > MOST_HEADERS) return false
  let expected = await knownHash(ctx, client.chainId, oldest)
  for (let top = oldest; top > number; top -= AT_ONCE) {
    const count = Math.min(AT_ONCE, top - number)
    const numbers = Array.from({ length: count }, (_, index) => top - index)
    for (const header of await client.headers(numbers)) {
      if (header === null || header.hash !== expected) return false
      expected = header.parentHash
    }
  }
  return expected === hash
}
