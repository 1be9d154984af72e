import { describe, expect, test } from 'vitest'
import { createFakeClock } from '../../support/fake-clock.ts'
import { startFaultProxy } from '../../support/fault-proxy.ts'
import { hasAnvil, startTestChain } from '../../support/test-chain.ts'
import { createChainWorld } from '../support/chain-world.ts'

const HOUR = 3_600_000
/** The time after which a waiting donation expires. */
const EXPIRY = 72 * HOUR

/** A chain, a node in front of it that can fail, and a clock that the test moves. */
const createWaitingWorld = async () => {
  const chain = await startTestChain()
  const node = await startFaultProxy(chain.url)
  const clock = createFakeClock()
  const world = await createChainWorld({
    ...{ chain, clock, rpc: [node.url], settings: { donationExpiryMs: EXPIRY } },
    // The client's pauses pass at once, and move the same clock.
    client: {
      timing: {
        nowMs: () => clock.now().getTime(),
        sleep: async (ms) => clock.advance(ms),
        random: () => 0.5,
      },
    },
  })
  await world.follow()
  /**
   * Runs the worker's jobs this number of times, eight hours apart. Returns the codes of all
   * errors.
   */
  const pass = async (times: number, each?: () => Promise<unknown>) => {
    const failures: string[] = []
    const note = (error: { code?: string }) => failures.push(error.code ?? String(error))
    for (let time = 0; time < times; time++) {
      clock.advance(8 * HOUR)
      await each?.()
      await world.follow().catch(note)
      await world.checks.run().catch(note)
    }
    return failures
  }
  const attempts = async () =>
    (await world.ctx.sql<{ checks: number }[]>`select checks from donation order by id`).map(
      (row) => row.checks,
    )
  return { ...world, node, clock, pass, attempts }
}

describe.skipIf(!hasAnvil)(
  'a transaction that is not mined yet, and one that never will be',
  () => {
    test('the one that the pool shows waits beyond its time, the one that no node knows expires', async () => {
      const { chain, record, pass, donations, raised, mineAndFollow, give } =
        await createWaitingWorld()
      await give(1)
      await record({ hash: `0x${'ab'.repeat(32)}`, from: chain.addressOf(2) })
      expect(await pass(12)).toEqual([])
      expect(await donations()).toEqual([
        ['pending', 'waiting_for_transaction'],
        ['expired', 'never_seen'],
      ])
      await mineAndFollow(3)
      expect(await donations()).toEqual([
        ['completed', 'completed'],
        ['expired', 'never_seen'],
      ])
      expect(await raised()).toBe('5000000')
    })

    test('the one that left the pool expires, and revives when it is mined after all', async () => {
      const { chain, pass, donations, raised, events, mineAndFollow, give } =
        await createWaitingWorld()
      const dropped = await give(1)
      await pass(10)
      expect(await donations()).toEqual([['pending', 'waiting_for_transaction']])
      await chain.call('anvil_dropTransaction', [dropped.hash])
      await pass(2)
      expect(await donations()).toEqual([['expired', 'never_seen']])
      await pass(30)
      await chain.send(dropped)
      await mineAndFollow(3)
      expect(await donations()).toEqual([['completed', 'completed']])
      expect(await raised()).toBe('5000000')
      expect(await events()).toEqual(['donation.completed'])
    })
  },
)

describe.skipIf(!hasAnvil)(
  'a node that answers nothing for longer than a donation may wait',
  () => {
    const OUTAGES = [
      ['429', { kind: 'rate-limit' }],
      ['429 and Retry-After', { kind: 'rate-limit', retryAfterS: 600 }],
      ['503', { kind: 'unavailable' }],
      ['an exhausted quota', { kind: 'batch-error', code: -32005, message: 'daily request limit' }],
      ['broken connections', { kind: 'drop' }],
    ] as const
    test.each(OUTAGES)('with %s fails no gift and uses up no attempt', async (_, fault) => {
      const { chain, node, pass, statuses, attempts, raised, events, give } =
        await createWaitingWorld()
      await give(1)
      node.set(fault)
      const failures = await pass(2, () => chain.mine())
      await give(2, 7_000_000n)
      failures.push(...(await pass(8, () => chain.mine())))
      expect(failures).toHaveLength(2 * 10)
      expect(await statuses()).toEqual(['pending', 'pending'])
      expect(await attempts()).toEqual([0, 0])
      expect(await events()).toEqual([])
      node.heal()
      await expect
        .poll(
          async () => {
            await pass(1)
            return statuses()
          },
          { timeout: 20_000 },
        )
        .toEqual(['completed', 'completed'])
      expect(await raised()).toBe('12000000')
    })
  },
)
