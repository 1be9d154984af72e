import { describe, expect, onTestFinished, test } from 'vitest'
import { run as admin } from '../../../src/commands/admin.ts'
import { createCommittee } from '../../../worker/chain/committee.ts'
import { createTestBeacon, TEST_BEACON_NETWORK } from '../../support/beacon/serve-beacon.ts'
import { PERIOD_SLOTS, withChangedSignature } from '../../support/beacon/test-beacon.ts'
import { runCommand } from '../../support/command.ts'
import { createFakeClock } from '../../support/fake-clock.ts'
import { startFaultProxy } from '../../support/fault-proxy.ts'
import { halfEnvironment } from '../../support/halves.ts'
import { createTestMetrics } from '../../support/metrics.ts'
import { hasAnvil, startTestChain, type TestChain } from '../../support/test-chain.ts'
import { createWorld, TEST_CHAIN } from '../../support/world.ts'
import { ACCOUNT, createChainWorld } from '../support/chain-world.ts'

/** Time in which the test network has several periods. */
const LONG_S = 60

/**
 * A worker that follows a chain with a sync committee, over two beacon nodes. `rpc` is the node of
 * the chain, and `config` more of its settings.
 */
const setUp = async ({
  chain,
  rpc,
  config: more = {},
}: {
  chain?: TestChain
  rpc?: string
  config?: object
} = {}) => {
  chain ??= await startTestChain()
  // Begins with a period, because a period's update is newer than a final block that is signed just
  // before it.
  const periodMs = PERIOD_SLOTS * 1_000
  const clock = createFakeClock(new Date(Math.floor(Date.now() / periodMs) * periodMs))
  const beacon = await createTestBeacon(chain, clock)
  const feeds = [await beacon.serve(), await beacon.serve()] as const
  const metrics = createTestMetrics()
  const created = await createWorld({ clock, metrics, chains: [TEST_CHAIN] })
  const errors: string[] = []
  const log = Object.assign(Object.create(created.ctx.log), {
    error: (_facts: object, message: string) => errors.push(message),
  })
  const config = {
    beacon: feeds.map(({ url }) => url),
    checkpoint: beacon.checkpoint,
    beaconNetwork: TEST_BEACON_NETWORK,
    stalledAfterMs: LONG_S * 1_000,
  }
  const world = await createChainWorld({
    ...{ chain, chains: [TEST_CHAIN], config: { ...config, ...more } },
    ...(rpc === undefined ? {} : { rpc: [rpc] }),
    world: { ...created, ctx: { ...created.ctx, log } },
  })
  const { committee } = world.sync
  if (committee === null) throw new Error('The chain has no committee.')
  /** Seconds pass, the committee is read, and then the chain. */
  const pass = async (seconds = 1) => {
    clock.advance(seconds * 1_000)
    await committee.follow()
    await world.mineAndFollow()
  }
  /** A donation in a block that the nodes call final. Returns its id and the block. */
  const give = async (index: number) => {
    const { id } = await world.give(index)
    const block = await chain.mine()
    await world.mineAndFollow(3)
    return { id, block }
  }
  const reasonOf = async (id: string) => {
    const { status, confirmation } = await world.read(id)
    return [status, confirmation?.reason ?? null]
  }
  const problem = async () =>
    (await world.ctx.sql<{ problem: string | null }[]>`select problem from chain_state`)[0]?.problem
  const halted = async () =>
    (await world.ctx.sql`select from chain_state where halted_at is not null`).length > 0
  const up = (feed: { url: string }) =>
    metrics.value('fundproof_node_up', {
      chain: TEST_CHAIN.id,
      node: `beacon ${new URL(feed.url).host}`,
    })
  await pass(PERIOD_SLOTS + 8)
  return { ...world, beacon, committee, feeds, pass, give, reasonOf, problem, halted, up, errors }
}

describe.skipIf(!hasAnvil)('a chain with a sync committee', () => {
  test('credits a donation once the committee has proven its block, and says what is missing before', async () => {
    const { beacon, pass, give, reasonOf, raised, world } = await setUp()
    const { id, block } = await give(1)
    expect(await reasonOf(id)).toEqual(['confirming', 'waiting_for_finality_proof'])
    await beacon.finalize(block - 1)
    await pass()
    expect(await reasonOf(id)).toEqual(['confirming', 'waiting_for_finality_proof'])
    await beacon.finalize(block)
    await pass()
    expect(await reasonOf(id)).toEqual(['completed', null])
    expect(await raised()).toBe('5000000')
    const { code, out } = await checkpoint(world.url)
    expect([code, out]).toEqual([0, expect.stringMatching(/^0x[0-9a-f]{64}\n/)])
    expect(out).toContain(`with block ${block} of the chain`)
  })

  test('waits for the nodes too, although the committee has proven the block', async () => {
    const { chain, beacon, committee, follow, pass, reasonOf, record, pay } = await setUp()
    const id = await record(await pay(1))
    await beacon.finalize(await chain.mine())
    await committee.follow()
    await follow()
    expect(await reasonOf(id)).toEqual(['confirming', 'waiting_for_finality'])
    await pass()
    await pass()
    expect(await reasonOf(id)).toEqual(['completed', null])
  })

  test('goes on over the periods of its committees', async () => {
    const { beacon, pass, give, reasonOf } = await setUp()
    for (let period = 1; period <= 4; period++) {
      const { id, block } = await give(period)
      await pass(PERIOD_SLOTS)
      await beacon.finalize(block)
      await pass()
      expect(await reasonOf(id)).toEqual(['completed', null])
    }
  })

  test('credits nothing that two thirds of the committee have not signed', async () => {
    const { beacon, pass, give, reasonOf, up, feeds } = await setUp()
    const { id, block } = await give(1)
    await beacon.finalize(block, 341)
    await pass()
    expect(await reasonOf(id)).toEqual(['confirming', 'waiting_for_finality_proof'])
    expect(feeds.map(up)).toEqual([0, 0])
    await beacon.finalize(block, 342)
    await pass()
    expect(await reasonOf(id)).toEqual(['completed', null])
    expect(feeds.map(up)).toEqual([1, 1])
  })

  test.each([
    [
      'changes what the committee has signed',
      ({ body }: { body: unknown }) => withChangedSignature(body),
    ],
    ['names a fork that this version does not know', ({ body }) => withVersion(body, 'gloas')],
    ['is away', () => null],
    ['answers no JSON', () => undefined],
  ])('names a beacon node that %s, and believes the other one', async (_, change) => {
    const { beacon, pass, give, reasonOf, up, feeds } = await setUp()
    const { id, block } = await give(1)
    feeds[0].change(change)
    await beacon.finalize(block)
    await pass()
    expect(await reasonOf(id)).toEqual(['completed', null])
    expect(feeds.map(up)).toEqual([0, 1])
    feeds[0].change(({ body }) => body)
    await beacon.finalize(block + 1)
    await pass()
    expect(feeds.map(up)).toEqual([1, 1])
  })

  test('names a beacon node that is epochs behind', async () => {
    const { beacon, pass, up, feeds, chain } = await setUp()
    let old: unknown
    feeds[0].change(({ path, body }) => {
      if (!path.endsWith('finality_update')) return body
      old ??= body
      return old
    })
    await pass()
    await pass(LONG_S)
    await beacon.finalize(await chain.head())
    await pass()
    expect(feeds.map(up)).toEqual([0, 1])
  })

  test('waits for as long as no beacon node answers, says so, and loses nothing', async () => {
    const { beacon, pass, give, reasonOf, problem, feeds, errors } = await setUp()
    const { id, block } = await give(1)
    for (const feed of feeds) feed.change(() => null)
    await pass(LONG_S + 1)
    await pass()
    expect(await reasonOf(id)).toEqual(['confirming', 'waiting_for_finality_proof'])
    expect(await problem()).toMatch(/^finality_unproven: .*beacon 127\.0\.0\.1:\d+: rpc_error/)
    expect(errors).toHaveLength(1)
    for (const feed of feeds) feed.change(({ body }) => body)
    await pass()
    await beacon.finalize(block)
    await pass()
    expect(await reasonOf(id)).toEqual(['completed', null])
    expect(await problem()).toBeNull()
  })

  test('credits nothing and halts while nodes call a block final in whose place the committee has another', async () => {
    const { beacon, pass, give, reasonOf, chain, problem, raised, halted } = await setUp()
    const { id, block } = await give(1)
    await beacon.finalize({ number: block, hash: OTHER, stateRoot: OTHER })
    await pass()
    expect((await reasonOf(id))[0]).toBe('confirming')
    expect(await problem()).toMatch(/^finality_contradicted/)
    expect([await halted(), await raised()]).toEqual([true, '0'])
    await chain.reorg(8)
    const head = await chain.head()
    await beacon.finalize(head - 4)
    await pass()
    await pass()
    expect((await reasonOf(id))[0]).toBe('pending')
    expect(await raised()).toBe('0')
  })

  test('loses no credit in a proven block, although all nodes replace it', async () => {
    const { beacon, pass, give, reasonOf, chain, halted, follow, raised } = await setUp()
    const { id, block } = await give(1)
    await beacon.finalize(block)
    await pass()
    await chain.reorg(8)
    await chain.mine(2)
    await expect(follow()).rejects.toThrow('finality_contradicted')
    expect([await halted(), await raised()]).toEqual([true, '5000000'])
    expect(await reasonOf(id)).toEqual(['completed', null])
  })

  test('reverses a credit in a proven block if people replace it on the embedded chain', async () => {
    const { beacon, pass, give, reasonOf, chain, halted, ctx, sync, raised, problem } =
      await setUp()
    const committee = createCommittee(ctx, sync.chain, { isEmbedded: true })
    onTestFinished(async () => void (await committee?.close()))
    sync.committee = committee
    const { id, block } = await give(1)
    await beacon.finalize(block)
    await pass()
    expect(await raised()).toBe('5000000')
    await chain.reorg((await chain.head()) - block + 1)
    await pass()
    expect([(await reasonOf(id))[0], await raised()]).toEqual(['reversed', '0'])
    await beacon.finalize({ number: block, hash: OTHER, stateRoot: OTHER })
    const later = await give(2)
    await pass()
    expect((await reasonOf(later.id))[0]).toBe('confirming')
    await beacon.finalize(later.block)
    await pass()
    expect(await reasonOf(later.id)).toEqual(['completed', null])
    expect([await halted(), await problem()]).toEqual([false, null])
  })

  test('names also the second beacon node that changes what the committee has signed', async () => {
    const { beacon, pass, give, up, feeds } = await setUp()
    const { block } = await give(1)
    feeds[1].change(({ body }) => withChangedSignature(body))
    await beacon.finalize(block)
    await pass()
    expect(feeds.map(up)).toEqual([1, 0])
  })

  test('begins again with a new checkpoint if its messages have a gap', async () => {
    const { beacon, pass, give, reasonOf, ctx, sync, feeds, up } = await setUp()
    for (const feed of feeds) {
      feed.change(({ path, body }) => (path.endsWith('/updates') ? [] : body))
    }
    await pass(10 * PERIOD_SLOTS)
    const { id, block } = await give(1)
    await beacon.finalize(block)
    await pass()
    expect(await reasonOf(id)).toEqual(['confirming', 'waiting_for_finality_proof'])
    expect(feeds.map(up)).toEqual([0, 0])
    const committee = createCommittee(ctx, { ...sync.chain, checkpoint: beacon.renew() })
    onTestFinished(async () => void (await committee?.close()))
    await committee?.follow()
    await pass()
    expect(await reasonOf(id)).toEqual(['completed', null])
  })

  test('credits a payment below the oldest stored block only if headers lead down to it', async () => {
    const [chain, other] = [await startTestChain(), await startTestChain()]
    const pays = async (on: TestChain, index: number) =>
      on.send(await on.signToken(index, ACCOUNT, 5_000_000n))
    const [paid, invented] = [await pays(chain, 1), await pays(other, 2)]
    for (const on of [chain, other]) await on.mine(12)
    const proxy = await startFaultProxy(chain.url)
    const world = await setUp({ chain, rpc: proxy.url, config: { startBlock: 8 } })
    const { beacon, pass, record, lookUp, reasonOf } = world
    const [id, falseId] = [await record(paid), await record(invented)]
    proxy.set({
      kind: 'custom',
      layer: async (method, params, ask) => {
        const isOld = method === 'eth_getBlockByNumber' && Number(params[0]) < 8
        const isOfInvented = params[0] === invented.hash || isOld
        return (
          (isOfInvented ? await other.call(method, params) : await ask(method, params)) ??
          other.call(method, params)
        )
      },
    })
    await lookUp()
    expect(await reasonOf(falseId)).toEqual(['pending', 'waiting_for_finality_proof'])
    proxy.heal()
    await lookUp()
    await beacon.finalize(await chain.head())
    await pass()
    await pass()
    expect(await reasonOf(id)).toEqual(['completed', null])
    expect((await reasonOf(falseId))[0]).toBe('pending')
  })

  test('a worker without beacon nodes no longer waits for a proof', async () => {
    const { give, follow, reasonOf, sync, ctx } = await setUp()
    const { id } = await give(1)
    sync.committee = null
    await follow()
    expect(await reasonOf(id)).toEqual(['completed', null])
    expect(await ctx.sql`select from chain_state where claimed_number is null`).toHaveLength(1)
  })

  test('halts if the committee contradicts a block with a credited donation', async () => {
    const { beacon, pass, give, reasonOf, problem, halted, errors } = await setUp()
    const { id, block } = await give(1)
    await beacon.finalize(block)
    await pass()
    await beacon.finalize({ number: block, hash: OTHER, stateRoot: OTHER })
    const later = await give(2)
    await pass()
    expect(await halted()).toBe(true)
    expect(await problem()).toMatch(/^finality_contradicted: the sync committee .* block \d+ final/)
    expect(errors).toHaveLength(1)
    await beacon.finalize(later.block)
    await pass()
    expect(await halted()).toBe(true)
    expect(await reasonOf(id)).toEqual(['completed', null])
    expect((await reasonOf(later.id))[0]).toBe('confirming')
  })
})

/** Runs `npm run admin -- checkpoint` for the chain. */
const checkpoint = (databaseUrl: string) =>
  runCommand(
    admin,
    ['checkpoint', String(TEST_CHAIN.id)],
    halfEnvironment({ databaseUrl, rpcUrl: 'http://127.0.0.1:9' }),
  )

const OTHER = `0x${'ab'.repeat(32)}`

const withVersion = (body: unknown, version: string) => ({ ...(body as object), version })
