import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { ChainClientOptions } from '../../../src/chain/chain-client.ts'
import type { Fault, Layer } from '../../support/fault-proxy.ts'
import { asList, hex, type Json } from '../../support/faults/fault.ts'
import { invent } from '../../support/faults/head-lies.ts'
import { renamedTransactionLayer } from '../../support/faults/renamed-transaction.ts'
import { createTestMetrics } from '../../support/metrics.ts'
import { hasAnvil, startTestChain } from '../../support/test-chain.ts'
import { TOKEN } from '../../support/world.ts'
import { clientOf, codeOf, lieAbout, startThreeNodes } from './support.ts'

const CHAIN_ID = 31_337
const ACCOUNT = '0x00000000000000000000000000000000000000aa'
/** A cooldown so short that a node is asked again at once. */
const SHORT = { firstMs: 1, longestMs: 5 }

type SetUp = Partial<Omit<ChainClientOptions, 'chain' | 'log'>> & {
  quorum?: number
  proof?: 'receipts-root'
}

/** A chain of six blocks with a payment in block 3, behind three proxies that can each lie. */
const setUp = async ({ quorum, proof, ...options }: SetUp = {}) => {
  const chain = await startTestChain()
  const paid = await chain.send(await chain.signEther(1, ACCOUNT, '1'))
  await chain.mine(2)
  await chain.mine(2)
  const { first, second, third, urls } = await startThreeNodes(chain)
  const metrics = createTestMetrics()
  const client = clientOf({
    urls,
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
  /** Reads the true hash of a block directly from the chain, without the pool. */
  const truth = async (number: number) => {
    const block = await chain.call<{ hash: string }>('eth_getBlockByNumber', [hex(number), false])
    return block.hash
  }
  /** Reads the same data as the sync, and compares it with the chain. */
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
  /** Reads everything again. Returns the state of the node afterwards. */
  const reading = (proxy: { url: string }) => async () => {
    await readAll()
    return stateOf(proxy)
  }
  const expectNamed = (reason: string) =>
    expect
      .poll(() => client.nodes()[0], { timeout: 10_000 })
      .toMatchObject({ state: 'distrusted', reason })
  const expectTorn = async (ask: () => unknown) => expect(await codeOf(ask)).toBe('no_agreement')
  return {
    ...{ chain, client, first, second, third, paid, truth },
    ...{ readAll, reading, faults, isUp, stateOf, expectNamed, expectTorn },
  }
}

/** The call that reads the decimals of the test token, and an answer with one digit. */
const DECIMALS = { to: TOKEN, data: '0x313ce567' }
const digit = (value: number) => `0x${String(value).padStart(64, '0')}`
const RECEIPT = 'eth_getTransactionReceipt'
/** Faults of one call: the same value for each request, or the true result with changed fields. */
const says = (value: unknown): Fault => ({ kind: 'custom', layer: async () => value })
const change =
  (fields: object): Layer =>
  async (method, params, ask) => ({ ...((await ask(method, params)) as object), ...fields })
/** Claims that a transaction is in another block. */
const elsewhere = change({ blockNumber: '0x2' })

describe.skipIf(!hasAnvil)('a pool of three nodes, one of them at fault', () => {
  const otherStatus = { kind: 'forged-receipt', change: 'status' } as const
  const noBlocks: Fault = { kind: 'lying-null', methods: ['eth_getBlockByNumber'] }
  const lies: [string, Fault, reason: string, state: string][] = [
    ['a forged hash', { kind: 'forged-hash' }, 'forged', 'distrusted'],
    ['a branch of its own', { kind: 'forged-branch', from: 4 }, 'wrong_hash', 'distrusted'],
    ['another chain', { kind: 'wrong-chain', chainId: 5 }, 'wrong_chain', 'wrong_chain'],
    ['silence', { kind: 'hang' }, 'timeout', 'cooldown'],
    ['a trickle', { kind: 'trickle', everyMs: 5 }, 'timeout', 'cooldown'],
    ['429', { kind: 'rate-limit' }, 'rate_limited', 'rate_limited'],
    ['503', { kind: 'unavailable' }, 'transport', 'cooldown'],
    ['cut-off JSON', { kind: 'cut-off' }, 'bad_response', 'cooldown'],
    ['a dropped connection', { kind: 'drop' }, 'transport', 'cooldown'],
    ['an error page', { kind: 'html' }, 'bad_response', 'cooldown'],
    ['receipts of another status', otherStatus, 'forged', 'distrusted'],
    ['no receipts', { kind: 'no-receipts' }, 'forged', 'distrusted'],
    ['nulls for blocks', noBlocks, 'block_missing', 'distrusted'],
  ]
  test.each(lies)(
    'believes the other two nodes beside %s, names the lying node, and uses it again once it is honest',
    async (_, fault, reason, state) => {
      // Only the fault `timeout` makes the test wait for the time limit, so only this fault has a
      // short limit.
      const set = await setUp({ timeoutMs: reason === 'timeout' ? 500 : 10_000 })
      const { first, second, third, readAll, faults, isUp, stateOf, reading } = set
      await readAll()
      first.set(fault)
      const read = async () => [await reading(first)(), faults(first, reason) > 0]
      await expect.poll(read, { timeout: 10_000 }).toEqual([state, true])
      expect(isUp(first)).toBe(0)
      for (const other of [second, third]) expect([stateOf(other), isUp(other)]).toEqual(['up', 1])
      first.heal()
      await expect.poll(reading(first), { timeout: 10_000 }).toBe('up')
      expect(isUp(first)).toBe(1)
    },
    30_000,
  )

  test('goes on without a node that stands still, asks it last, and uses it as before once it has caught up', async () => {
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
    const { first, second, third, client, paid, expectTorn } = await setUp()
    first.set({ kind: 'lying-null' })
    expect((await client.findTransactions([paid.hash])).get(paid.hash)?.blockNumber).toBe(3)
    second.set({ kind: 'drop' })
    third.set({ kind: 'drop' })
    await expectTorn(() => client.findTransactions([paid.hash]))
  })

  test('a block that a quorum does not have is missing, also where one node sends nonsense for it', async () => {
    const { first, client, expectNamed } = await setUp()
    first.set(says('0x1'), { methods: ['eth_getBlockByHash'] })
    expect(await client.blockByHash(`0x${'ab'.repeat(32)}`)).toBeNull()
    await expectNamed('bad_response')
  })

  test('a question that a quorum refuses is refused, also where one node answers nonsense', async () => {
    const { first, second, third, client, paid } = await setUp()
    first.set(says('0x1'), { methods: [RECEIPT] })
    for (const node of [second, third]) node.set({ kind: 'rpc-error', methods: [RECEIPT] })
    expect(await codeOf(() => client.findTransactions([paid.hash]))).toBe('rpc_error')
  })

  test.each([{ blockHash: `0x${'ab'.repeat(32)}` }, { blockNumber: '0x2' }])(
    'finds a transaction in the block that a quorum names, and blames the node that names another: %j',
    async (place) => {
      const { first, client, paid, truth, expectNamed } = await setUp()
      first.set({ kind: 'custom', layer: change(place) }, { methods: [RECEIPT] })
      const found = await client.findTransactions([paid.hash])
      expect(found.get(paid.hash)).toEqual({ blockNumber: 3, blockHash: await truth(3) })
      await expectNamed('outvoted')
    },
  )

  test('does not believe one node that invents a block for an unknown transaction', async () => {
    const { first, client, chain, paid } = await setUp()
    const unknown = `0x${'cd'.repeat(32)}`
    const receipt = await chain.call<object>(RECEIPT, [paid.hash])
    first.set(says({ ...receipt, transactionHash: unknown }), { methods: [RECEIPT] })
    expect([...(await client.findTransactions([unknown]))]).toEqual([[unknown, null]])
  })

  test.each(['before', 'after'])(
    'blames a node whose header nothing proves, when it answers %s the others',
    async (when) => {
      const { first, client, truth, expectNamed } = await setUp({ timeoutMs: 10_000 })
      const { promise: othersAnswered, resolve: onAnswer } = Promise.withResolvers<void>()
      const layer: Layer = async (method, params, ask) => {
        const header = await ask(method, params)
        if (when === 'after') await othersAnswered
        return { ...(header as object), gasUsed: '0x7', fieldOfTomorrow: '0x1' }
      }
      first.set({ kind: 'custom', layer }, { methods: ['eth_getBlockByNumber'] })
      expect((await client.headerAt(3))?.hash).toBe(await truth(3))
      onAnswer()
      await expectNamed('unverified')
    },
  )

  test('blames a node that shows a transaction as one of an unknown type, once another node proves it', async () => {
    const { first, client } = await setUp()
    first.set(
      lieAbout('eth_getBlockByNumber', (block, _, [, isWhole]) =>
        isWhole && block
          ? {
              ...block,
              transactions: asList(block.transactions).map((one) => ({ ...one, type: '0x55' })),
            }
          : block,
      ),
    )
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

  test('believes no node when two of three are down', async () => {
    const { first, second, client, truth, expectTorn } = await setUp()
    first.set({ kind: 'drop' })
    second.set({ kind: 'unavailable' })
    await expectTorn(() => client.heads())
    await expectTorn(() => client.headerAt(1))
    await expectTorn(() => client.blocks(1, 2))
    const block = { number: 1, hash: await truth(1) }
    await expectTorn(() => client.transactionCounts(block, [ACCOUNT]))
  })

  test('names every node in the error when they do not agree', async () => {
    const { first, second, third, client } = await setUp()
    first.set({ kind: 'drop' })
    second.set({ kind: 'drop' })
    const error = await client.heads().catch(String)
    for (const proxy of [first, second, third]) expect(error).toContain(new URL(proxy.url).host)
  })

  test('believes nothing of two nodes that lie in two ways', async () => {
    const { first, second, client, expectTorn } = await setUp()
    first.set({ kind: 'forged-branch', from: 3, mark: 'one' })
    second.set({ kind: 'forged-branch', from: 3, mark: 'two' })
    await expectTorn(() => client.heads())
    await expectTorn(() => client.blocks(1, 4))
    expect(await client.blocks(1, 2)).toHaveLength(2)
  })

  test('needs as many nodes as the settings say', async () => {
    const { first, client, expectTorn } = await setUp({ quorum: 3 })
    await client.heads()
    first.set({ kind: 'drop' })
    await expectTorn(() => client.heads())
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
    // With the same coinbase, new blocks of the same second would be equal to the replaced blocks.
    await chain.call('anvil_setCoinbase', [ACCOUNT])
    await chain.reorg(2)
    const after = await client.heads()
    expect(after.latest.number).toBe(before.latest.number)
    expect(after.latest.hash).not.toBe(before.latest.hash)
    const [block] = await client.blocks(after.latest.number, after.latest.number)
    expect(block?.hash).toBe(after.latest.hash)
  })

  test('what a contract says at a block needs a quorum', async () => {
    const { first, second, client, chain, truth, expectTorn } = await setUp()
    const head = await chain.head()
    const block = { number: head, hash: await truth(head) }
    first.set({ kind: 'forged-call', result: digit(7) })
    const calls = [DECIMALS, { ...DECIMALS, data: '0xdeadbeef' }]
    expect(await client.callAt(block, calls)).toEqual([digit(6), null])
    second.set({ kind: 'forged-call', result: digit(8) })
    await expectTorn(() => client.callAt(block, [DECIMALS]))
  })

  test.each([
    ['calls', { kind: 'forged-call', result: digit(7) }],
    ['headers', { kind: 'forged-branch', from: 1 }],
    ['counts', says('0x77'), 'eth_getTransactionCount'],
    ['places', { kind: 'custom', layer: elsewhere }, RECEIPT],
  ] as [string, Fault, string?][])(
    'a node that was outvoted about %s is asked again after its cooldown, and trusted',
    async (about, fault, method) => {
      const { client, first, chain, truth, paid } = await setUp()
      const head = await chain.head()
      const block = { number: head, hash: await truth(head) }
      const ask = () => {
        if (about === 'calls') return client.callAt(block, [DECIMALS])
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
    first.set(
      lieAbout('eth_getBlockByNumber', (block, _, [number, isWhole]) =>
        isWhole ? show(block, Number(number) === head) : block,
      ),
    )
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
