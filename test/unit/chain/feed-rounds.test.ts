import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lastRoundBefore, readRound } from '../../../src/chain/prices/feed-rounds.ts'

describe('the last round before a moment', () => {
  /**
   * A phase in which round n was written at second n. The rounds in `gaps` were never completed.
   */
  const phaseOf = (count: number, gaps: ReadonlySet<number>) => {
    const asked = { batches: 0 }
    const ask = async (ids: readonly bigint[]) => {
      asked.batches += 1
      return ids.map((roundId) => {
        const number = Number(BigInt.asUintN(64, roundId))
        if (roundId >> 64n !== 3n || number < 1 || number > count || gaps.has(number)) return null
        return { roundId, answer: 1n, startedAt: 0n, updatedAt: BigInt(number) }
      })
    }
    return { asked, ask }
  }

  test('is found in any phase with any rounds missing, in few batches', async () => {
    const size = fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 5_000_000 }))
    const share = fc.double({ min: 0, max: 1, noNaN: true })
    await fc.assert(
      fc.asyncProperty(
        size,
        share,
        fc.array(share, { maxLength: 8 }),
        fc.integer({ min: 0, max: 20 }),
        fc.boolean(),
        async (count, moment, missing, below, isNewest) => {
          const cut = Math.round(moment * count)
          // Some gaps are at any place, and `below` gaps end exactly at the round that would be the
          // answer.
          const gaps = new Set(missing.map((one) => Math.round(one * count)))
          for (let back = 0; back < below; back++) gaps.add(cut - back)
          const { asked, ask } = phaseOf(count, gaps)
          const found = await lastRoundBefore(
            ask,
            3n,
            isNewest ? BigInt(count) : null,
            (round) => round.updatedAt <= BigInt(cut),
          )
          let expected = Math.min(cut, isNewest ? count - 1 : count)
          while (gaps.has(expected)) expected--
          expect(found === null ? 0 : Number(found?.updatedAt)).toBe(Math.max(0, expected))
          expect(asked.batches).toBeLessThanOrEqual(16)
        },
      ),
      { numRuns: 500 },
    )
  })

  test('is looked for above a missing round that stopped the search', async () => {
    const { ask } = phaseOf(1_000, new Set([999, 998, 996, 992]))
    const found = await lastRoundBefore(ask, 3n, 1_000n, (round) => round.updatedAt <= 997n)
    expect(found?.updatedAt).toBe(997n)
  })

  test('is given up where a feed answers in no order', async () => {
    let batches = 0
    const found = await lastRoundBefore(
      async (ids) => {
        batches += 1
        return ids.map((roundId, index) =>
          index === 0 ? { roundId, answer: 1n, startedAt: 1n, updatedAt: 1n } : null,
        )
      },
      3n,
      null,
      () => true,
    )
    expect(found).toBeUndefined()
    expect(batches).toBe(16)
  })
})

test.each([
  ['nothing', null],
  ['no bytes', '0x'],
  ['too few', `0x${'00'.repeat(159)}`],
  ['too many', `0x${'00'.repeat(192)}`],
  ['a round id beyond uint80', `0x${'ff'.repeat(32)}${'00'.repeat(128)}`],
])('an answer of %s is no round', (_what, bytes) => {
  expect(readRound(bytes)).toBeNull()
})
