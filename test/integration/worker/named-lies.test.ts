import { expect, test } from 'vitest'
import { checkLedger } from '../../../src/domain/books/index.ts'
import { syncChain } from '../../../worker/chain/sync-chain.ts'
import { createChainSync } from '../../support/chain-sync.ts'
import { NAMED_LIES, type NamedLie } from '../../support/faults/named-lies.ts'
import { isFull } from '../../support/full.ts'
import { startHalf } from '../../support/halves.ts'
import { hasAnvil, startTestChain } from '../../support/test-chain.ts'
import { waitFor } from '../../support/wait-for.ts'
import { TEST_CHAIN, TOKEN } from '../../support/world.ts'
import { ACCOUNT, createChainWorld } from '../support/chain-world.ts'
import { threeProxies } from '../support/served-chain.ts'

/** The id of a chain on which the newest block is never final. */
const GNOSIS = 100
const HOUR_MS = 3_600_000

type Worker = {
  pass(): Promise<void>
  /** The reports of the worker about a node that it does not trust. */
  complaints(host: string): string[]
  kill(): Promise<void>
}

const setUp = async () => {
  const chain = await startTestChain({ chainId: GNOSIS })
  const nodes = await threeProxies(chain)
  const { world, give } = await createChainWorld({ chain, chains: [{ ...TEST_CHAIN, id: GNOSIS }] })
  const chainConfig = {
    ...{ ...TEST_CHAIN, id: GNOSIS, name: 'test', rpc: nodes.map(({ url }) => url) },
    ...{ startBlock: 0, pollIntervalMs: 100, maxLagSeconds: 5 },
  }
  /** Starts a worker in a new process. */
  const startProcess = async (): Promise<Worker> => {
    await world.ctx.sql`update chain_state set lease_until = now()`
    const env = { CHAINS: JSON.stringify([chainConfig]) }
    const worker = await startHalf('worker', { databaseUrl: world.url, rpcUrl: '', env })
    return {
      pass: async () => {},
      complaints: (host) =>
        worker.lines.filter(
          (line) =>
            line.includes(`"node":"${host}"`) && /"state":"(distrusted|wrong_chain)"/.test(line),
        ),
      async kill() {
        worker.kill('SIGKILL')
        await worker.exited
      },
    }
  }
  /**
   * Starts only the sync of a worker in this process. When it is killed, it forgets all faults of
   * nodes.
   */
  const startSync = async (): Promise<Worker> => {
    await world.ctx.sql`update chain_state set lease_until = now()`
    const sync = createChainSync(world.ctx, chainConfig)
    const complaints = new Set<string>()
    return {
      async pass() {
        await syncChain(sync, new AbortController().signal).catch(() => {})
        for (const { node, state } of sync.client.nodes()) {
          if (['distrusted', 'wrong_chain'].includes(state)) complaints.add(node)
        }
      },
      complaints: (host) => [...complaints].filter((node) => node === host),
      kill: () => sync.client.close(),
    }
  }
  /** Mines blocks that are five seconds apart, so that the time of the chain goes on. */
  const mine = (blocks: number) => chain.call('anvil_mine', [`0x${blocks.toString(16)}`, '0x5'])
  const state = async () => {
    const [row] = await world.ctx.sql<{ raised: string; open: number; seen: number }[]>`
      select raised, (select count(*)::int from donation where status <> 'completed') as open,
             (select count(*)::int from chain_transfer) as seen
      from campaign_total`
    return row
  }
  return { chain, nodes, world, startProcess, startSync, pay: () => give(1), mine, state }
}

/**
 * Lets a node tell the lies one after the other. The worker is killed before it credits the
 * payment. Returns the lies for which the worker did not name the node.
 */
const tell = async (lies: readonly NamedLie[], kind: 'startProcess' | 'startSync') => {
  const { chain, nodes, world, pay, mine, state, [kind]: start } = await setUp()
  const [liar] = nodes
  const [liarHost = '', ...otherHosts] = nodes.map(({ url }) => new URL(url).host)
  const unnamed: string[] = []
  for (const [index, { about, named, faults }] of lies.entries()) {
    const first = await start()
    const { hash } = await pay()
    const payment = { hash, to: ACCOUNT, token: TOKEN, head: (await chain.head()) + 1 }
    for (const fault of faults(payment)) liar.set(fault)
    await mine(1)
    await first.pass()
    await first.kill()
    const second = await start()
    const complaints = (host: string) => [...first.complaints(host), ...second.complaints(host)]
    await mine(3)
    const expected = { raised: String(5_000_000 * (index + 1)), open: 0, seen: index + 1 }
    const step = async () => {
      await mine(1)
      await second.pass()
      return { about, ...(await state()), named: !named || complaints(liarHost).length > 0 }
    }
    const isOver = (now: Awaited<ReturnType<typeof step>>) =>
      now.raised === expected.raised && now.open === 0 && now.named
    expect(await waitFor(about, step, isOver)).toEqual({ about, ...expected, named: true })
    if (complaints(liarHost).length === 0) unnamed.push(about)
    expect([about, ...otherHosts.flatMap(complaints)]).toEqual([about])
    liar.heal()
    await second.kill()
  }
  expect((await checkLedger(world.ctx.pool)).differences).toEqual([])
  return unnamed
}

test.skipIf(!hasAnvil)(
  'each lie of one node of three credits each donation once and names the node, across a restart of the sync',
  async () => {
    const harmless = NAMED_LIES.filter(({ named }) => !named).map(({ about }) => about)
    expect(await tell(NAMED_LIES, 'startSync')).toEqual(harmless)
  },
  HOUR_MS,
)

/** Fast runs test one lie of each subject. */
const chosen = isFull
  ? NAMED_LIES
  : [...Map.groupBy(NAMED_LIES, ({ about }) => about.split(':')[0]).values()].flatMap((group) =>
      group.slice(-1),
    )

test.skipIf(!hasAnvil)(
  'the same holds for a worker process that is killed after each lie',
  async () => {
    const unnamed = new Set(await tell(chosen, 'startProcess'))
    expect(chosen.filter(({ about, named }) => named && unnamed.has(about))).toEqual([])
  },
  HOUR_MS,
)
