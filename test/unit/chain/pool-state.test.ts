import { describe, expect, onTestFinished, test } from 'vitest'
import { createStateReader } from '../../../src/chain/state/state-reader.ts'
import { createSignatureVerifier } from '../../../src/chain/state/verify-signature.ts'
import { ChainConfig } from '../../../src/config/config.ts'
import { createLog } from '../../../src/kernel/ports/log.ts'
import { type FaultProxy, startFaultProxy } from '../../support/fault-proxy.ts'
import { hasAnvil, startTestChain } from '../../support/test-chain.ts'
import { TOKEN } from '../../support/world.ts'
import { clientOf, codeOf } from './support.ts'

const CHAIN_ID = 31_337
const log = createLog('silent', 'test')
const FORWARDER_TARGET = '0x00000000000000000000000000000000000000aa'

const setUp = async () => {
  const chain = await startTestChain()
  const proxies: [FaultProxy, FaultProxy, FaultProxy] = [
    await startFaultProxy(chain.url),
    await startFaultProxy(chain.url),
    await startFaultProxy(chain.url),
  ]
  const urls = proxies.map((proxy) => proxy.url)
  const client = clientOf({ urls, chain: { id: CHAIN_ID }, graceMs: 2_000, timeoutMs: 10_000 })
  onTestFinished(() => client.close())
  const header = async () => {
    const found = await client.headerAt(await chain.head())
    if (!found) throw new Error('no block')
    return found
  }
  const reader = () => {
    const made = createStateReader({
      chain: ChainConfig.parse({ id: CHAIN_ID, name: 'test', rpc: urls }),
      log,
    })
    onTestFinished(() => made.close())
    return made
  }
  return { chain, client, proxies, urls, header, reader }
}

describe.skipIf(!hasAnvil)('state, as three nodes tell it', () => {
  test('proves accounts against the state root, past a node that forges them', async () => {
    const { chain, client, proxies, header } = await setUp()
    await chain.send(await chain.signEther(1, FORWARDER_TARGET, '3'))
    await chain.mine()
    const block = await header()
    const nobody = `0x${'ee'.repeat(20)}`
    proxies[0].set({
      kind: 'custom',
      layer: async (method, params, ask) => {
        const result = await ask(method, params)
        if (method !== 'eth_getProof') return result
        const other = await ask(method, [chain.addressOf(2), [], params[2]])
        return other
      },
    })
    const accounts = await client.accountProofs(block, [
      FORWARDER_TARGET,
      chain.addressOf(1),
      nobody,
    ])
    expect(accounts.map((account) => [account?.balance, account?.nonce])).toEqual([
      [3n * 10n ** 18n, 0n],
      [expect.any(BigInt), 1n],
      [0n, 0n],
    ])
    expect(client.nodes()[0]).toMatchObject({ state: 'distrusted', reason: 'forged' })
  })

  test('has no proof where no node has the method', async () => {
    const { client, proxies, header } = await setUp()
    const block = await header()
    for (const proxy of proxies) proxy.set({ kind: 'rpc-error', methods: ['eth_getProof'] })
    expect(await client.accountProofs(block, [FORWARDER_TARGET])).toEqual([null])
  })

  test('traces by whichever method a node has, and says null where none has one', async () => {
    const { chain, client, proxies } = await setUp()
    const sent = await chain.send(await chain.signEther(1, FORWARDER_TARGET, '2'))
    await chain.mine()
    const frame = { from: chain.addressOf(1), to: FORWARDER_TARGET, value: 2n * 10n ** 18n }
    expect(await client.callTraces([sent.hash])).toMatchObject([frame])
    const methods = ['debug_traceTransaction']
    for (const proxy of proxies) proxy.set({ kind: 'rpc-error', methods })
    expect(await client.callTraces([sent.hash])).toMatchObject([frame])
    for (const proxy of proxies) proxy.set({ kind: 'rpc-error', methods: ['trace_transaction'] })
    expect(await client.callTraces([sent.hash])).toEqual([null])
  })

  test('believes no trace where two nodes with traces contradict each other', async () => {
    const { chain, client, proxies } = await setUp()
    const [first, second, third] = proxies
    const sent = await chain.send(await chain.signEther(1, FORWARDER_TARGET, '2'))
    await chain.mine()
    const traces = ['debug_traceTransaction', 'trace_transaction']
    first.set({
      kind: 'custom',
      layer: async (method, params, ask) => {
        const result = await ask(method, params)
        return method === 'debug_traceTransaction'
          ? { ...(result as object), value: '0x1' }
          : result
      },
    })
    const paid = [{ value: 2n * 10n ** 18n }]
    second.set({ kind: 'rpc-error', methods: traces })
    expect(await codeOf(() => client.callTraces([sent.hash]))).toBe('no_agreement')
    second.heal()
    expect(await client.callTraces([sent.hash])).toMatchObject(paid)
    expect(client.nodes()[0]).toMatchObject({ state: 'distrusted', reason: 'outvoted' })
    second.set({ kind: 'rpc-error', methods: traces })
    third.set({ kind: 'rpc-error', methods: traces })
    first.heal()
    await expect.poll(() => client.callTraces([sent.hash])).toMatchObject(paid)
  })

  test('believes the traces of a quorum, also where one node alone has another method', async () => {
    const { chain, client, proxies } = await setUp()
    const [first, ...others] = proxies
    const sent = await chain.send(await chain.signEther(1, FORWARDER_TARGET, '2'))
    await chain.mine()
    const methods = ['debug_traceTransaction']
    const lie = { type: 'CALL', from: chain.addressOf(2), to: TOKEN, value: '0x1' }
    first.set({ kind: 'custom', layer: async () => lie }, { methods })
    for (const other of others) other.set({ kind: 'rpc-error', methods })
    for (const options of [{ agreed: true }, undefined]) {
      expect(await client.callTraces([sent.hash], options)).toMatchObject([
        { from: chain.addressOf(1), to: FORWARDER_TARGET, value: 2n * 10n ** 18n },
      ])
    }
    expect(client.nodes()[0]).toMatchObject({ state: 'distrusted', reason: 'outvoted' })
  })

  test('evidence stays the same where one node adds to it, or leaves a transaction unproven', async () => {
    const { chain, client, proxies } = await setUp()
    const sent = await chain.send(await chain.signToken(1, FORWARDER_TARGET, 5n))
    const head = await chain.mine()
    const { hash } = (await client.headerAt(head)) ?? {}
    if (!hash) throw new Error('no block')
    const request = { blockHash: hash, txHashes: [sent.hash], accounts: [FORWARDER_TARGET] }
    const honest = await client.evidence(request)
    expect(honest.inclusions.get(sent.hash)?.transaction).not.toBeNull()
    proxies[0].set({
      kind: 'custom',
      layer: async (method, params, ask) => {
        const result = (await ask(method, params)) as {
          accountProof?: string[]
          transactions?: object[]
        }
        const { accountProof, transactions } = result
        if (accountProof) return { ...result, accountProof: [...accountProof, accountProof[0]] }
        if (!transactions || params[1] !== true) return result
        return { ...result, transactions: transactions.map((one) => ({ ...one, type: '0x55' })) }
      },
    })
    expect(await client.evidence(request)).toEqual(honest)
  })

  test('shows transactions that wait or are mined, and no forged one', async () => {
    const { chain, client, proxies } = await setUp()
    const waiting = await chain.send(await chain.signToken(1, FORWARDER_TARGET, 5n))
    const unknown = `0x${'ab'.repeat(32)}`
    proxies[0].set({
      kind: 'custom',
      layer: async (method, params, ask) => {
        const result = await ask(method, params)
        return method === 'eth_getTransactionByHash' && result
          ? { ...(result as object), nonce: '0x63' }
          : result
      },
    })
    const pooled = { hash: waiting.hash, from: waiting.from, nonce: 0 }
    expect(await client.transactionsByHash([waiting.hash, unknown])).toEqual([pooled, null])
    expect(client.nodes()[0]).toMatchObject({ state: 'distrusted', reason: 'forged' })
    await chain.mine()
    expect(await client.transactionsByHash([waiting.hash])).toEqual([pooled])
  })

  test("counts an account's transactions as a quorum does", async () => {
    const { chain, client, proxies, header } = await setUp()
    const block = await header()
    proxies[0].set({
      kind: 'custom',
      layer: (method, params, ask) =>
        method === 'eth_getTransactionCount' ? Promise.resolve('0x63') : ask(method, params),
    })
    const accounts = [chain.addressOf(0), FORWARDER_TARGET]
    expect(await client.transactionCounts(block, accounts)).toEqual([6, 0])
  })

  test('one lying node cannot make a contract accept a signature', async () => {
    const { proxies, reader } = await setUp()
    const accepted = `0x01`
    const claim = {
      chainId: CHAIN_ID,
      address: TOKEN,
      signature: `0x${'12'.repeat(70)}`,
      message: 'it is mine',
    }
    proxies[0].set({ kind: 'forged-call', result: accepted })
    expect(
      await createSignatureVerifier({ readers: [reader()], log }).verifyMessage(claim),
    ).toBeNull()
    // Two of three are the quorum: this shows that the lie would have been believed.
    proxies[1].set({ kind: 'forged-call', result: accepted })
    expect(
      await createSignatureVerifier({ readers: [reader()], log }).verifyMessage(claim),
    ).toMatchObject({ method: 'eip1271' })
  })
})
