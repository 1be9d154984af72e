import { AbiCoder, id, toBeHex, ZeroHash } from 'ethers'
import { describe, expect, test } from 'vitest'
import { ESCROW_TOPICS } from '../../../src/escrow/events.ts'
import { createReconcileJob } from '../../../worker/jobs/reconcile.ts'
import { type FaultProxy, startFaultProxy } from '../../support/fault-proxy.ts'
import type { ForgedBranch } from '../../support/faults/fault.ts'
import { hasAnvil } from '../../support/test-chain.ts'
import { keyOf } from '../../support/test-wallets.ts'
import { TOKEN } from '../../support/world.ts'
import { createFollowedWorld, type FollowedWorld, RECIPIENT } from './support/followed-world.ts'
import { payAndRelease } from './support/wallet-calls.ts'

/** Code that logs its input as the data of a `MilestoneReleased` event of milestone 0. */
const IMPOSTOR = `0x3660006000377f${toBeHex(0, 32).slice(2)}7f${ESCROW_TOPICS.MilestoneReleased.slice(2)}366000a200`

const released = (units: bigint): string =>
  AbiCoder.defaultAbiCoder().encode(
    ['address', 'address', 'uint256', 'bytes32', 'uint256'],
    [RECIPIENT, TOKEN, units, id('evidence'), 3],
  )

const storedEvents = (world: FollowedWorld) => world.world.ctx.sql`
  select kind, settled_at is not null as settled from escrow_event order by block_number, position`

describe.skipIf(!hasAnvil)('events that an escrow did not emit', () => {
  test('an event of another contract does not count, even for the same milestone', async () => {
    const world = await createFollowedWorld()
    await world.pay(1, 70_000_000n)
    const impostor = keyOf(5).address
    await world.chain.call('anvil_setCode', [impostor, IMPOSTOR])
    await world.settle(world.send(3, { to: impostor, data: released(30_000_000n) }))
    expect(await storedEvents(world)).toEqual([])
    expect(await world.state()).toMatchObject({ milestones: ['pending', 'pending'] })
  })

  test('an event of other code at the address of the escrow is stored and never settled', async () => {
    const world = await createFollowedWorld()
    await world.record(await world.pay(1, 70_000_000n), '70')
    await world.chain.call('anvil_setCode', [world.account, IMPOSTOR])
    await world.settle(world.send(3, { to: world.account, data: released(30_000_000n) }))
    await world.settle()
    expect(await storedEvents(world)).toEqual([{ kind: 'MilestoneReleased', settled: false }])
    expect(await world.state()).toMatchObject({ milestones: ['reached', 'reached'] })
    expect(await world.balances()).toEqual({ custody: 70_000_000n, held: 70_000_000n })
  })

  test('an event that a node changes in a receipt is refused, and counts when the node is honest', async () => {
    let node: FaultProxy | undefined
    const world = await createFollowedWorld({
      async through(chain) {
        node = await startFaultProxy(chain.url)
        return [node.url]
      },
    })
    await world.deploy()
    await world.mine(world.pay(1, 70_000_000n))
    await world.follow()
    node?.set({
      kind: 'custom',
      layer: async (method, params, ask) => {
        const result = await ask(method, params)
        const text = JSON.stringify(result) ?? 'null'
        return JSON.parse(text.replaceAll(ESCROW_TOPICS.Activated, ESCROW_TOPICS.Failed))
      },
    })
    await world.release(0)
    await world.chain.mine(3)
    await world.follow().catch(() => {})
    expect(await storedEvents(world)).toEqual([])
    node?.heal()
    await expect
      .poll(
        async () => {
          await world.follow().catch(() => {})
          return storedEvents(world)
        },
        { timeout: 20_000 },
      )
      .toEqual([
        { kind: 'Activated', settled: true },
        { kind: 'MilestoneReleased', settled: true },
      ])
    await world.agree()
  })
})

/** The logs of an invented transaction: it releases both milestones and cancels the escrow. */
const inventedEvents = (account: string): NonNullable<ForgedBranch['pay']> => {
  const topics = [ESCROW_TOPICS.MilestoneReleased]
  const first = {
    address: account,
    topics: [...topics, toBeHex(0, 32)],
    data: released(30_000_000n),
  }
  const second = { ...first, topics: [...topics, toBeHex(1, 32)], data: released(40_000_000n) }
  const pool = AbiCoder.defaultAbiCoder().encode(
    ['uint8', 'uint256', 'uint256', 'uint256', 'bytes32'],
    [3, 1n, 70_000_001n, 0n, ZeroHash],
  )
  const failed = { address: account, topics: [ESCROW_TOPICS.Failed], data: pool }
  return { to: account, amount: 1n, token: TOKEN, logs: [first, second, failed] }
}

describe.skipIf(!hasAnvil)(
  'events on a branch that one node invents and that proves itself',
  () => {
    const setUp = async (count: number) => {
      const nodes: FaultProxy[] = []
      const world = await createFollowedWorld({
        async through(chain) {
          for (let index = 0; index < count; index++) nodes.push(await startFaultProxy(chain.url))
          return nodes.map(({ url }) => url)
        },
      })
      await world.deploy()
      await world.settle(world.record(await world.pay(1, 70_000_000n), '70'))
      const from = (await world.chain.head()) + 1
      nodes[0]?.set({ kind: 'forged-branch', from, pay: inventedEvents(world.account) })
      await world.mineAndFollow(4)
      return world
    }

    test('do not count if two other nodes do not have the branch', async () => {
      const world = await setUp(3)
      expect(await storedEvents(world)).toEqual([])
      expect(await world.state()).toMatchObject({
        campaign: 'funded',
        milestones: ['reached', 'reached'],
      })
      await world.agree()
    })

    test('count if the node is the only one, so the quorum is what refuses them', async () => {
      const world = await setUp(1)
      expect(await storedEvents(world)).toHaveLength(3)
      expect(await world.state()).toMatchObject({ milestones: ['released', 'released'] })
    })
  },
)

describe.skipIf(!hasAnvil)('events in transactions of contracts', () => {
  test('a donation and its release in one call count in full, and the reconciliation agrees', async () => {
    const world = await createFollowedWorld()
    const gift = await payAndRelease(world)
    await world.settle(world.record(gift, '70'))
    expect(await world.state()).toMatchObject({
      raised: '70000000',
      milestones: ['released', 'reached'],
      donations: ['completed'],
    })
    expect(await world.balanceOf(RECIPIENT)).toBe(30_000_000n)
    await world.settle(world.release(1))
    expect(await world.state()).toMatchObject({ campaign: 'completed' })
    await createReconcileJob(world.sync, { everyMs: 0 }).run()
    expect(await world.world.ctx.sql`select kind, note from ledger_difference`).toEqual([])
    const balances = await world.world.ctx.sql`
      select asset_id like '%erc20%' as token, balance from account_balance order by asset_id`
    expect(balances).toContainEqual({ token: true, balance: '0' })
  })

  test('a surplus goes to the recipient, and its event names the transaction', async () => {
    const world = await createFollowedWorld()
    await world.mine(world.deploy())
    await world.settle(world.record(await world.donate(1, 75_000_000n), '75'))
    for (const milestone of [0, 1]) {
      await world.mine(world.release(milestone))
    }
    const surplus = await world.surplus()
    await world.settle()
    expect(await world.balances()).toEqual({
      ...{ custody: 0n, held: 0n },
      ...{ paid: 75_000_000n, released: 75_000_000n },
    })
    const events = await world.events()
    expect(events.find(({ type }) => type === 'campaign.surplus.released')?.data).toMatchObject({
      amount: { value: '5', currency: 'USDC' },
      recipient: keyOf(7).address,
      transaction: { ledgerTxId: surplus.hash },
    })
  })
})
