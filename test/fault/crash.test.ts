import { describe, expect, test } from 'vitest'
import { checkLedger } from '../../src/domain/books/index.ts'
import { createEndpoint } from '../../src/domain/events/index.ts'
import { STANDARD_EVENTS } from '../../src/outbox/events.ts'
import { address } from '../support/chain-facts.ts'
import { endLeases } from '../support/deliveries.ts'
import { type Half, startHalf } from '../support/halves.ts'
import { startReceiver } from '../support/receiver.ts'
import { recordGift } from '../support/recorded-gift.ts'
import { hasAnvil, type Signed, startTestChain } from '../support/test-chain.ts'
import { waitFor } from '../support/wait-for.ts'
import { createTestCampaign, createUser, createWorld, TEST_CHAIN } from '../support/world.ts'

const ACCOUNT = address('campaign')
const ALL_EVENTS = [
  ...STANDARD_EVENTS,
  'donation.failed',
  'donation.reversed',
  'campaign.threshold.reverted',
] as const

const setUp = async () => {
  const chain = await startTestChain()
  const world = await createWorld()
  const creator = await createUser(world.ctx)
  const donor = await createUser(world.ctx)
  const campaignId = await createTestCampaign(world.ctx, {
    creator,
    account: ACCOUNT,
    target: '20',
    milestones: ['10', '10'],
  })
  const receiver = await startReceiver()
  const endpoint = await createEndpoint(world.as(creator), {
    url: receiver.url,
    events: [...ALL_EVENTS],
  })
  receiver.trust(endpoint.secret ?? '')
  const donate = async (units: bigint): Promise<Signed> => {
    const signed = await chain.send(await chain.signToken(1, ACCOUNT, units))
    await recordGift(world.as(donor), campaignId, signed, String(units / 1_000_000n))
    return signed
  }
  const start = (env: Record<string, string> = {}) =>
    startHalf('worker', { databaseUrl: world.url, rpcUrl: chain.url, env })
  const statuses = async () =>
    (await world.ctx.sql<{ status: string }[]>`select status from donation order by id`).map(
      (row) => row.status,
    )
  /** Waits until all donations have this status. */
  const becomeAll = (wanted: string) =>
    waitFor(`all donations to be ${wanted}`, statuses, (all) =>
      all.every((status) => status === wanted),
    )
  const raised = async () =>
    (await world.ctx.sql<{ raised: string }[]>`select raised from campaign_total`)[0]?.raised
  /** Waits for the kill, and ends the worker's leases, which would end by themselves after 30 s. */
  const expectKill = async ({ exited }: Half) => {
    expect(await exited).toBe('SIGKILL')
    await world.ctx.sql`update chain_state set lease_until = now()`
    await endLeases(world.ctx.sql)
  }
  return { chain, world, receiver, donate, start, expectKill, becomeAll, raised }
}

type Setup = Awaited<ReturnType<typeof setUp>>

/**
 * Checks after a crash and a restart that every event arrived, and nothing is lost, doubled or
 * unbalanced.
 */
const expectWhole = async ({ world, receiver }: Setup, types: string[]): Promise<void> => {
  const emitted = await world.ctx.sql<{ id: string; type: string }[]>`
    select id, type from event order by seq`
  expect(emitted.map((row) => row.type)).toEqual(types)
  await waitFor(
    'every event to arrive',
    () => receiver.events().map((one) => one.id),
    (ids) => emitted.every((row) => ids.includes(row.id)),
  )
  expect(receiver.refused).toEqual([])
  expect((await checkLedger(world.ctx.pool)).differences).toEqual([])
}

const CREDITED = [
  'donation.completed',
  'donation.completed',
  'campaign.milestone.reached',
  'campaign.milestone.reached',
  'campaign.funded',
]
const REVERSED = [
  'donation.reversed',
  'donation.reversed',
  'campaign.threshold.reverted',
  'campaign.threshold.reverted',
  'campaign.threshold.reverted',
]

describe.skipIf(!hasAnvil)('a worker that is killed', () => {
  test.each(['F1', 'F2', 'S1', 'S2', 'W2'])(
    'at crash point %s loses and doubles nothing',
    async (point) => {
      const setup = await setUp()
      const { chain, donate, start, expectKill, becomeAll, raised } = setup
      await donate(10_000_000n)
      await donate(10_000_000n)
      const doomed = await start({ FUNDPROOF_CRASH_AT: point })
      await chain.mine(3)
      await expectKill(doomed)
      await start()
      await becomeAll('completed')
      expect(await raised()).toBe('20000000')
      await expectWhole(setup, CREDITED)
    },
  )

  test.each(['R1', 'R2'])('at crash point %s of a reorganisation reverses once', async (point) => {
    const setup = await setUp()
    const { chain, donate, start, expectKill, becomeAll, raised } = setup
    await donate(10_000_000n)
    await donate(10_000_000n)
    const doomed = await start({ FUNDPROOF_CRASH_AT: point })
    await chain.mine(3)
    await becomeAll('completed')
    await chain.reorg(3)
    await chain.mine(1)
    await expectKill(doomed)
    await start()
    await becomeAll('reversed')
    expect(await raised()).toBe('0')
    await expectWhole(setup, [...CREDITED, ...REVERSED])
  })

  test.each(['C1', 'C2'])(
    'at crash point %s of a look-up by hash still finds it',
    async (point) => {
      const setup = await setUp()
      const { chain, world, donate, start, expectKill, becomeAll } = setup
      await donate(10_000_000n)
      await chain.mine(4)
      // The worker follows the chain only from a later block on, so only a look-up can find the
      // payment.
      const CHAINS = JSON.stringify([
        { ...TEST_CHAIN, name: 'test', rpc: [chain.url], pollIntervalMs: 100 },
      ])
      await world.ctx.sql`update donation set next_check_at = now()`
      const doomed = await start({ CHAINS, FUNDPROOF_CRASH_AT: point })
      await expectKill(doomed)
      await start({ CHAINS })
      await becomeAll('completed')
      await expectWhole(setup, ['donation.completed', 'campaign.milestone.reached'])
    },
  )
})
