import { describe, expect, test } from 'vitest'
import { ChainConfig } from '../../../src/config/config.ts'
import { networkOf } from '../../../src/kernel/networks.ts'

const chain = (id: number, change: Record<string, unknown> = {}) => ({
  id,
  name: 'test',
  rpc: ['http://localhost:8545'],
  ...change,
})
const problems = (input: unknown): string[] =>
  ChainConfig.safeParse(input).error?.issues.map((issue) => issue.message) ?? []

describe('what is known of networks', () => {
  test.each([1, 10, 100, 137, 8453, 42161, 11155111])(
    'chain %i waits for the tag, and an alarm waits longer than finality takes',
    (id) => {
      const config = ChainConfig.parse(chain(id))
      const network = networkOf(id)
      expect(config.finality).toEqual({ tag: 'finalized' })
      expect(config.stalledAfterMs).toBe(network?.stalledAfterMs)
      expect(config.stalledAfterMs).toBeGreaterThan(network?.typicalFinalityMs ?? Infinity)
      expect(config.pollIntervalMs).toBeLessThanOrEqual(4_000)
    },
  )

  test('of any other chain nothing is assumed', () => {
    const config = ChainConfig.parse(chain(31337))
    expect(config).toMatchObject({ finality: { tag: 'finalized' }, pollIntervalMs: 4_000 })
    expect(config).not.toHaveProperty('stalledAfterMs')
    expect(problems(chain(31337, { finality: { depth: 1 } }))).toEqual([])
  })

  test('settings go before what is known', () => {
    const config = ChainConfig.parse(chain(8453, { stalledAfterMs: 90_000, pollIntervalMs: 500 }))
    expect(config).toMatchObject({ stalledAfterMs: 90_000, pollIntervalMs: 500 })
  })

  test.each([10, 100, 137, 8453, 42161])('chain %i refuses a depth, however large', (id) => {
    expect(problems(chain(id, { finality: { depth: 10_000 } }))).toEqual([
      expect.stringMatching(/no depth is safe/),
    ])
  })

  test('Ethereum takes a depth from 96 on', () => {
    expect(problems(chain(1, { finality: { depth: 96 } }))).toEqual([])
    expect(problems(chain(1, { finality: { depth: 95 } }))).toEqual([
      expect.stringMatching(/a depth below 96 is not safe on Ethereum/),
    ])
  })
})
