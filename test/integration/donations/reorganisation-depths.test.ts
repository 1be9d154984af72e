import { describe, expect, test } from 'vitest'
import { hasAnvil, type Signed, type TestChain } from '../../support/test-chain.ts'
import { TOKEN } from '../../support/world.ts'
import { ACCOUNT, createChainWorld } from '../support/chain-world.ts'

/** Reads the campaign account's balance from the chain, at the final block. */
const finalBalance = async (chain: TestChain): Promise<string> => {
  const data = `0x70a08231${ACCOUNT.slice(2).padStart(64, '0')}`
  return BigInt(await chain.call('eth_call', [{ to: TOKEN, data }, 'finalized'])).toString()
}

/** Six blocks with one gift each, of 1, 2, 4, … USDC. The last two blocks are not final. */
const createSixGifts = async () => {
  const world = await createChainWorld()
  const { follow, record, mineAndFollow, pay } = world
  await follow()
  const gifts: Signed[] = []
  for (let index = 0; index < 6; index++) {
    const gift = await pay(1, 1_000_000n << BigInt(index))
    await record(gift, { value: String(1 << index) })
    await mineAndFollow()
    gifts.push(gift)
  }
  return { ...world, gifts }
}

describe.skipIf(!hasAnvil)('a reorganisation of any depth', () => {
  test.each([1, 2, 3, 4, 5, 6])(
    'of %i blocks takes back what they held, credited or not, tells so, and credits it when it returns',
    async (depth) => {
      const { chain, follow, gifts, statuses, raised, events, mineAndFollow } =
        await createSixGifts()
      const credited = 4
      const reversed = Math.max(0, depth - 2)
      expect(await raised()).toBe('15000000')
      expect(await finalBalance(chain)).toBe('15000000')
      await chain.reorg(depth)
      await follow()
      const lost = gifts.slice(6 - depth)
      expect(await raised()).toBe(String((1_000_000n << BigInt(credited - reversed)) - 1_000_000n))
      expect(await statuses()).toEqual([
        ...Array(credited - reversed).fill('completed'),
        ...Array(reversed).fill('reversed'),
        // The gifts above the final block: those still in a block are confirming, the removed gifts
        // are pending.
        ...Array(Math.max(0, 2 - depth)).fill('confirming'),
        ...Array(Math.min(depth, 2)).fill('pending'),
      ])
      expect((await events()).slice(credited)).toEqual(Array(reversed).fill('donation.reversed'))
      for (const gift of lost) await chain.send(gift)
      await mineAndFollow(4)
      expect(await statuses()).toEqual(Array(6).fill('completed'))
      expect(await raised()).toBe('63000000')
      expect(await finalBalance(chain)).toBe('63000000')
      expect((await events()).filter((type) => type === 'donation.completed')).toHaveLength(
        6 + reversed,
      )
    },
  )
})
