import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { ChainClientOptions } from '../../../src/chain/chain-client.ts'
import {
  type Fault,
  type FaultOptions,
  type Layer,
  startFaultProxy,
} from '../../support/fault-proxy.ts'
import type { Json } from '../../support/faults/fault.ts'
import { invent } from '../../support/faults/head-lies.ts'
import { renamedTransactionLayer } from '../../support/faults/renamed-transaction.ts'
import { createTestMetrics } from '../../support/metrics.ts'
import { hasAnvil, startTestChain } from '../../support/test-chain.ts'
import { clientOf, codeOf } from './support.ts'

const CHAIN_ID = 31_337
const ACCOUNT = '0x00000000000000000000000000000000000000aa'
/** So short that whoever has healed is asked again at once. */
const SHORT = { firstMs: 1, longestMs: 5 }

type SetUp = Partial<Omit<ChainClientOptions, 'chain' | 'log'>> & {
  nodes?: number
  quorum?: number
  proof?: 'receipts-root'
}

/** A chain of six blocks, a payment in the fifth, behind three proxies that can each be made to lie. */
const setUp = async ({ nodes = 3, quorum, proof, ...options }: SetUp = {}) => {
  const chain = await startTestChain()
  const paid = await chain.send(await chain.signEther(1, ACCOUNT, '1'))
  await chain.mine(2)
  await chain.mine(2)
  const proxies = await Promise.all(Array.from({ length: nodes }, () => startFaultProxy(chain.url)))
  const [first, second, third] = proxies
  if (!first || !second || !third) throw new Error('three nodes are needed')
  const metrics = createTestMetrics()
  const client = clientOf({
    urls: proxies.map((proxy) => proxy.url),
    chain: { id: CHAIN_ID, maxLagSeconds: 2, ...(quorum && { quorum }), ...(proof && { proof }) },
    metrics,
    cooldown: SHORT,
    graceMs: 100,
    timeoutMs: 1_000,
    ...options,
  })
  onTestFinished(() => client.close())
  const labels = (proxy: { url: string }) => ({ chain: CHAIN_ID, node: new URL(proxy.url).host })
  const faults = (proxy: { url: string }, reason: string) =>
    metrics.value('fundproof_node_faults_total', { ...labels(proxy), reason })
  const isUp = (proxy: { url: string }) => metrics.value('fundproof_node_up', labels(proxy))
  const stateOf = (proxy: { url: string }) =>
    client.nodes().find(({ node }) => node === new URL(proxy.url).host)?.state
  /** What the chain really holds, read past the pool. */
  const truth = async (number: number) =>
    (
      await chain.call<{ hash: string }>('eth_getBlockByNumber', [
        `0x${number.toString(16)}`,
        false,
      ])
    ).hash
  /** Reads everything that the sync reads, and checks it against the chain. */
  const readAll = async () => {
    const head = await chain.head()
    await client.assertChainId()
    const heads = await client.heads()
    expect(heads.latest).toMatchObject({ number: head, hash: await truth(head) })
    expect(heads.finalizedHash).toBe(await truth(heads.finalizedNumber ?? -1))
    const blocks = await client.blocks(1, head)
    expect(blocks.at(-1)?.hash).toBe(await truth(head))
    const receipts = await client.receipts(blocks)
    expect([...receipts.values()].flat().map((one) => one.txHash)).toContain(paid.hash)
    expect((await client.headerAt(2))?.hash).toBe(await truth(2))
    expect((await client.findTransactions([paid.hash])).get(paid.hash)?.blockNumber).toBe(3)
  }
  /** What a node's state is once everything has been read again. */
  const reading = (proxy: { url: string }) => async () => {
    await readAll()
    return stateOf(proxy)
  }
  return {
    chain,
    reading,
    client,
    metrics,
    faults,
    isUp,
    stateOf,
    readAll,
    truth,
    paid,
    proxies,
    first,
    second,
    third,
  }
}

/** Shows a transaction in another block. */
const elsewhere: Layer = async (method, params, ask) => ({
  ...((await ask(method, params)) as object),
  blockNumber: '0x2',
})

describe.skipIf(!hasAnvil)('a pool of three nodes, one of them at fault', () => {
  const lies: [string, Fault, FaultOptions, string[], string][] = [
    ['a forged hash', { kind: 'forged-hash' }, {}, ['forged'], 'distrusted'],
    ['a branch of its own', { kind: 'forged-branch', from: 4 }, {}, ['wrong_hash'], 'distrusted'],
    ['another chain', { kind: 'wrong-chain', chainId: 5 }, {}, ['wrong_chain'], 'wrong_chain'],
    ['silence', { kind: 'hang' }, {}, ['timeout'], 'cooldown'],
    ['a trickle', { kind: 'trickle', everyMs: 5 }, {}, ['timeout'], 'cooldown'],
    ['429', { kind: 'rate-limit' }, {}, ['rate_limited'], 'rate_limited'],
    ['503', { kind: 'unavailable' }, {}, ['transport'], 'cooldown'],
    ['cut-off JSON', { kind: 'cut-off' }, {}, ['bad_response'], 'cooldown'],
    ['a dropped connection', { kind: 'drop' }, {}, ['transport'], 'cooldown'],
    ['an error page', { kind: 'html' }, {}, ['bad_response'], 'cooldown'],
    [
      'receipts of another status',
      { kind: 'forged-receipt', change: 'status' },
      {},
      ['forged'],
      'distrusted',
    ],
    ['no receipts', { kind: 'no-receipts' }, {}, ['forged'], 'distrusted'],
    [
      'nulls for blocks',
      { kind: 'lying-null', methods: ['eth_getBlockByNumber'] },
      {},
      ['block_missing'],
      'distrusted',
    ],
  ]
  test.each(lies)(
    'believes the other two beside %s, names that one, and lets it back in when it heals',
    async (_, fault, options, reasons, state) => {
      // Only a node without an answer makes the test wait for the time limit.
      const timeoutMs = reasons.includes('timeout') ? 500 : 10_000
      const { first, second, third, readAll, faults, isUp, stateOf, reading } = await setUp({
        timeoutMs,
      })
      await readAll()
      first.set(fault, options)
      await expect
        .poll(
          async () => {
            await readAll()
            return [stateOf(first), ...reasons.map((reason) => faults(first, reason) > 0)]
          },
          { timeout: 10_000 },
        )
        .toEqual([state, ...reasons.map(() => true)])
      expect(isUp(first)).toBe(0)
      for (const other of [second, third]) expect([stateOf(other), isUp(other)]).toEqual(['up', 1])
      first.heal()
      await expect.poll(reading(first), { timeout: 10_000 }).toBe('up')
      expect(isUp(first)).toBe(1)
    },
    30_000,
  )

  test('goes on past a node that stands still, asks it last, and takes it back when it has caught up', async () => {
    const { chain, first, readAll, faults, reading } = await setUp()
    await readAll()
    first.set({ kind: 'stale' })
    await readAll()
    await chain.call('anvil_mine', ['0x6', '0x5'])
    await expect.poll(reading(first)).toBe('lagging')
    expect(faults(first, 'lagging')).toBe(1)
    await chain.mine(1)
    const before = first.calls.length
    await readAll()
    const asked = first.calls.slice(before)
    expect(
      asked.filter(({ method, params }) => method === 'eth_getBlockReceipts' || params[1] === true),
    ).toEqual([])
    first.heal()
    await expect.poll(reading(first)).toBe('up')
  })

  test('blames a node whose head goes backwards', async () => {
    const { first, readAll, faults, reading } = await setUp()
    await readAll()
    first.set({ kind: 'backwards', blocks: 4 })
    await expect.poll(reading(first)).toBe('distrusted')
    expect(faults(first, 'went_backwards')).toBeGreaterThan(0)
    first.heal()
    await expect.poll(reading(first)).toBe('up')
  })

  test('does not wait for a node that hangs once the others agree', async () => {
    const { first, client, readAll } = await setUp({ timeoutMs: 60_000 })
    await readAll()
    first.set({ kind: 'hang' })
    const started = performance.now()
    await client.heads()
    await client.headers([1, 2, 3])
    expect(performance.now() - started).toBeLessThan(5_000)
  })

  test('does not ask a node again before the time it named', async () => {
    const { first, client, readAll } = await setUp()
    await readAll()
    first.set({ kind: 'rate-limit', retryAfterS: 600 })
    await readAll()
    const asked = first.requests
    for (let pass = 0; pass < 5; pass += 1) await readAll()
    expect(first.requests).toBe(asked)
    expect(client.nodes()[0]).toMatchObject({ state: 'rate_limited', reason: 'rate_limited' })
  })

  test("does not take one node's word that a transaction is unknown", async () => {
    const { first, second, third, client, paid } = await setUp()
    first.set({ kind: 'lying-null' })
    expect((await client.findTransactions([paid.hash])).get(paid.hash)?.blockNumber).toBe(3)
    second.set({ kind: 'drop' })
    third.set({ kind: 'drop' })
    expect(await codeOf(() => client.findTransactions([paid.hash]))).toBe('no_agreement')
  })

  test('a block that a quorum does not have is missing, also where one node sends nonsense for it', async () => {
    const { first, client } = await setUp()
    const hash = `0x${'ab'.repeat(32)}`
    first.set({ kind: 'custom', layer: async () => '0x1' }, { methods: ['eth_getBlockByHash'] })
    expect(await client.blockByHash(hash)).toBeNull()
    await expect
      .poll(() => client.nodes()[0])
      .toMatchObject({ state: 'distrusted', reason: 'bad_response' })
  })

  test('a question that a quorum refuses is refused, also where one node answers nonsense', async () => {
    const { first, second, third, client, paid } = await setUp()
    const methods = ['eth_getTransactionReceipt']
    first.set({ kind: 'custom', layer: async () => '0x1' }, { methods })
    for (const node of [second, third]) node.set({ kind: 'rpc-error', methods })
    expect(await codeOf(() => client.findTransactions([paid.hash]))).toBe('rpc_error')
  })

  test.each([{ blockHash: `0x${'ab'.repeat(32)}` }, { blockNumber: '0x2' }])(
    'finds a transaction in the block that a quorum names, and blames the node that names another: %j',
    async (place) => {
      const { first, client, paid, truth } = await setUp()
      const layer: Layer = async (method, params, ask) => ({
        ...((await ask(method, params)) as object),
        ...place,
      })
      first.set({ kind: 'custom', layer }, { methods: ['eth_getTransactionReceipt'] })
      const found = await client.findTransactions([paid.hash])
      expect(found.get(paid.hash)).toEqual({ blockNumber: 3, blockHash: await truth(3) })
      await expect
        .poll(() => client.nodes()[0])
        .toMatchObject({ state: 'distrusted', reason: 'outvoted' })
    },
  )

  test('does not believe one node that invents a block for an unknown transaction', async () => {
    const { first, client, chain, paid } = await setUp()
    const unknown = `0x${'cd'.repeat(32)}`
    const receipt = await chain.call<object>('eth_getTransactionReceipt', [paid.hash])
    const invented = { ...receipt, transactionHash: unknown }
    const methods = ['eth_getTransactionReceipt']
    first.set({ kind: 'custom', layer: async () => invented }, { methods })
    expect([...(await client.findTransactions([unknown]))]).toEqual([[unknown, null]])
  })

  test.each(['before', 'after'])(
    'blames a node whose header nothing proves, when it answers %s the others',
    async (when) => {
      const { first, client, truth } = await setUp({ timeoutMs: 10_000 })
      const { promise: othersAnswered, resolve: onAnswer } = Promise.withResolvers<void>()
      const layer: Layer = async (method, params, ask) => {
        const header = await ask(method, params)
        if (when === 'after') await othersAnswered
        return { ...(header as object), gasUsed: '0x7', fieldOfTomorrow: '0x1' }
      }
      first.set({ kind: 'custom', layer }, { methods: ['eth_getBlockByNumber'] })
      expect((await client.headerAt(3))?.hash).toBe(await truth(3))
      onAnswer()
      await expect
        .poll(() => client.nodes()[0])
        .toMatchObject({ state: 'distrusted', reason: 'unverified' })
    },
  )

  test('blames a node that shows a transaction as one of an unknown type, once another node proves it', async () => {
    const { first, client } = await setUp()
    first.set({
      kind: 'custom',
      layer: async (method, params, ask) => {
        const result = (await ask(method, params)) as { transactions?: object[] } | null
        if (!result?.transactions || params[1] !== true) return result
        return {
          ...result,
          transactions: result.transactions.map((one) => ({ ...one, type: '0x55' })),
        }
      },
    })
    const [block] = await client.blocks(3, 3)
    expect(block).toMatchObject({ proof: 'transactions-root', transactions: [{}] })
    expect(client.nodes()[0]).toMatchObject({ state: 'distrusted', reason: 'unverified' })
  })

  test('the proof of a donation does not follow a node that gives a receipt an invented hash', async () => {
    const { first, client, paid, truth } = await setUp({ proof: 'receipts-root' })
    const invented = `0x${'ab'.repeat(32)}`
    first.set({ kind: 'custom', layer: renamedTransactionLayer(paid.hash, invented) })
    const blockHash = await truth(3)
    const evidenceOf = (hash: string) =>
      client.evidence({ blockHash, txHashes: [hash], accounts: [] })
    expect(await codeOf(() => evidenceOf(invented))).toBe('wrong_hash')
    expect(client.nodes()[0]).toMatchObject({ state: 'distrusted', reason: 'outvoted' })
    expect((await evidenceOf(paid.hash)).inclusions.get(paid.hash)?.index).toBe(0)
  })

  test('believes nobody when two of three are down', async () => {
    const { first, second, client, truth } = await setUp()
    first.set({ kind: 'drop' })
    second.set({ kind: 'unavailable' })
    expect(await codeOf(() => client.heads())).toBe('no_agreement')
    expect(await codeOf(() => client.headerAt(1))).toBe('no_agreement')
    expect(await codeOf(() => client.blocks(1, 2))).toBe('no_agreement')
    const block = { number: 1, hash: await truth(1) }
    expect(await codeOf(() => client.transactionCounts(block, [ACCOUNT]))).toBe('no_agreement')
  })

  test('names every node in the error when they do not agree', async () => {
    const { first, second, third, client } = await setUp()
    first.set({ kind: 'drop' })
    second.set({ kind: 'drop' })
    const error = await client.heads().catch(String)
    for (const proxy of [first, second, third]) expect(error).toContain(new URL(proxy.url).host)
  })

  test('believes nothing of two nodes that lie in two ways', async () => {
    const { first, second, client } = await setUp()
    first.set({ kind: 'forged-branch', from: 3, mark: 'one' })
    second.set({ kind: 'forged-branch', from: 3, mark: 'two' })
    expect(await codeOf(() => client.heads())).toBe('no_agreement')
    expect(await codeOf(() => client.blocks(1, 4))).toBe('no_agreement')
    expect(await client.blocks(1, 2)).toHaveLength(2)
  })

  test('needs as many nodes as the settings say', async () => {
    const { first, client } = await setUp({ quorum: 3 })
    await client.heads()
    first.set({ kind: 'drop' })
    expect(await codeOf(() => client.heads())).toBe('no_agreement')
  })

  test('a node that runs ahead of all others with a chain of its own changes nothing', async () => {
    const { chain, first, readAll, faults } = await setUp()
    await readAll()
    first.set({ kind: 'forged-branch', from: 4 })
    await chain.mine(3)
    await readAll()
    await readAll()
    expect(faults(first, 'wrong_hash')).toBeGreaterThan(0)
  })

  test('follows a reorganisation that all nodes see', async () => {
    const { chain, client, readAll } = await setUp()
    await readAll()
    const before = await client.heads()
    // Otherwise blocks of the same second are the same blocks.
    await chain.call('anvil_setCoinbase', [ACCOUNT])
    await chain.reorg(2)
    const after = await client.heads()
    expect(after.latest.number).toBe(before.latest.number)
    expect(after.latest.hash).not.toBe(before.latest.hash)
    const [block] = await client.blocks(after.latest.number, after.latest.number)
    expect(block?.hash).toBe(after.latest.hash)
  })

  test('what a contract says at a block needs a quorum', async () => {
    const { first, second, client, chain, truth } = await setUp()
    const head = await chain.head()
    const block = { number: head, hash: await truth(head) }
    const decimals = { to: '0x5fbdb2315678afecb367f032d93f642f64180aa3', data: '0x313ce567' }
    const six = `0x${'6'.padStart(64, '0')}`
    first.set({ kind: 'forged-call', result: `0x${'7'.padStart(64, '0')}` })
    expect(await client.callAt(block, [decimals, { ...decimals, data: '0xdeadbeef' }])).toEqual([
      six,
      null,
    ])
    second.set({ kind: 'forged-call', result: `0x${'8'.padStart(64, '0')}` })
    expect(await codeOf(() => client.callAt(block, [decimals]))).toBe('no_agreement')
  })

  test.each([
    ['calls', { kind: 'forged-call', result: `0x${'7'.padStart(64, '0')}` }],
    ['headers', { kind: 'forged-branch', from: 1 }],
    ['counts', { kind: 'custom', layer: async () => '0x77' }, 'eth_getTransactionCount'],
    ['places', { kind: 'custom', layer: elsewhere }, 'eth_getTransactionReceipt'],
  ] as [string, Fault, string?][])(
    'a node that was outvoted about %s is asked again after its cooldown, and trusted',
    async (about, fault, method) => {
      const { client, first, chain, truth, paid } = await setUp()
      const head = await chain.head()
      const block = { number: head, hash: await truth(head) }
      const decimals = { to: '0x5fbdb2315678afecb367f032d93f642f64180aa3', data: '0x313ce567' }
      const ask = () => {
        if (about === 'calls') return client.callAt(block, [decimals])
        if (about === 'counts') return client.transactionCounts(block, [ACCOUNT])
        if (about === 'places') return client.findTransactions([paid.hash])
        return client.headers([1, 2])
      }
      const state = async () => {
        await ask()
        return client.nodes()[0]?.state
      }
      first.set(fault, method === undefined ? {} : { methods: [method] })
      await expect.poll(state).toBe('distrusted')
      first.heal()
      await expect.poll(state).toBe('up')
    },
  )

  test.each([
    ['shows a branch of its own', (block: Json) => invent(block, {})],
    [
      'shows blocks that do not follow each other',
      (block: Json, isLast: boolean) => (isLast ? block : invent(block, {})),
    ],
  ])('names a node that %s, only where it is asked for whole blocks', async (_, show) => {
    const { client, chain, first, second, third, readAll, reading, faults } = await setUp()
    await readAll()
    const head = await chain.head()
    first.set({
      kind: 'custom',
      layer: async (method, params, ask) => {
        const block = await ask(method, params)
        const isWhole = method === 'eth_getBlockByNumber' && params[1] === true
        return isWhole ? show(block as Json, Number(params[0]) === head) : block
      },
    })
    const read = async () => {
      await client.heads()
      await client.blocks(head - 1, head)
      return faults(first, 'wrong_hash')
    }
    await expect.poll(read).toBeGreaterThan(0)
    expect([second, third].map((node) => faults(node, 'wrong_hash'))).toEqual([0, 0])
    first.heal()
    await expect.poll(reading(first), { timeout: 10_000 }).toBe('up')
  })

  const late: Layer = (method, params, ask) => delay(150).then(() => ask(method, params))

  test('finds the block of each transaction where one node invents one block, and an honest node is late', async () => {
    const { chain, client, first, third, paid, truth } = await setUp({ graceMs: 20 })
    const other = await chain.send(await chain.signEther(1, ACCOUNT, '1'))
    await client.assertChainId()
    first.set({
      kind: 'custom',
      layer: (method, [hash], ask) => (hash === paid.hash ? elsewhere : ask)(method, [hash], ask),
    })
    third.set({ kind: 'custom', layer: late })
    const found = await client.findTransactions([paid.hash, other.hash])
    expect(found.get(paid.hash)).toEqual({ blockNumber: 3, blockHash: await truth(3) })
    expect(found.size).toBe(2)
  })
})
