import { describe, expect, test } from 'vitest'
import { proveHeader } from '../../../src/chain/encoding/header.ts'
import { proveReceipts } from '../../../src/chain/encoding/receipts.ts'
import { recoverSender } from '../../../src/chain/encoding/sender.ts'
import { createProofTools } from '../../../src/chain/encoding/tools.ts'
import { proveTransactions } from '../../../src/chain/encoding/transactions.ts'
import type { RpcObject } from '../../../src/chain/rpc/read.ts'
import { type Fault, startFaultProxy } from '../../support/fault-proxy.ts'
import { hex } from '../../support/faults/fault.ts'
import { hasAnvil, startTestChain } from '../../support/test-chain.ts'
import { TOKEN } from '../../support/world.ts'
import { codeOf, serveForTest } from './support.ts'

type Call = [method: string, params?: readonly unknown[]]
type Reply = { id: unknown; result?: unknown; error?: { code: number; message: string } }

const post = (url: string, calls: Call | Call[], timeoutMs = 20_000) => {
  const requestOf = ([method, params = []]: Call, id: number) => ({
    jsonrpc: '2.0',
    id,
    method,
    params,
  })
  const isBatch = Array.isArray(calls[0])
  const sent = isBatch ? (calls as Call[]).map(requestOf) : requestOf(calls as Call, 0)
  const signal = AbortSignal.timeout(timeoutMs)
  return fetch(url, { method: 'POST', body: JSON.stringify(sent), signal })
}
const batch = async (url: string, calls: Call[]): Promise<Reply[]> =>
  (await (await post(url, calls)).json()) as Reply[]
const ask = async <T = RpcObject>(url: string, method: string, params: unknown[] = []) => {
  const reply = (await (await post(url, [method, params])).json()) as Reply
  if (reply.error) throw new Error(`${reply.error.code}: ${reply.error.message}`)
  return reply.result as T
}

/** A node that counts its answers. */
const echo = () => {
  let answers = 0
  return serveForTest((method) => ({ method, answers: ++answers }))
}

const proxyOfEcho = async () => startFaultProxy((await echo()).url)

describe('faults of the exchange', () => {
  test('without a fault the proxy passes on every answer of the node, and records every call', async () => {
    const proxy = await proxyOfEcho()
    expect(await ask(proxy.url, 'a', [1])).toEqual({ method: 'a', answers: 1 })
    expect((await batch(proxy.url, [['b'], ['c']])).map((one) => one.id)).toEqual([0, 1])
    expect([proxy.requests, proxy.faulted]).toEqual([2, 0])
    expect(proxy.calls).toEqual([
      { method: 'a', params: [1] },
      { method: 'b', params: [] },
      { method: 'c', params: [] },
    ])
  })

  test('a rate limit names its wait, and ends after the given number of requests', async () => {
    const proxy = await proxyOfEcho()
    proxy.set({ kind: 'rate-limit', retryAfterS: 7 }, { times: 2 })
    for (const status of [429, 429, 200]) {
      const response = await post(proxy.url, ['a'])
      expect(response.status).toBe(status)
      expect(response.headers.get('retry-after')).toBe(status === 429 ? '7' : null)
      await response.text()
    }
    expect(proxy.faulted).toBe(2)
  })

  test('answers 503 until the fault is removed', async () => {
    const proxy = await proxyOfEcho()
    proxy.set({ kind: 'unavailable' })
    expect((await post(proxy.url, ['a'])).status).toBe(503)
    expect((await post(proxy.url, ['a'])).status).toBe(503)
    proxy.heal()
    expect((await post(proxy.url, ['a'])).status).toBe(200)
  })

  test('a hanging request gets no header, and a trickling answer never ends', async () => {
    const proxy = await proxyOfEcho()
    const restore = proxy.set({ kind: 'hang' })
    await expect(post(proxy.url, ['a'], 150)).rejects.toThrow(/timeout/i)
    restore()
    proxy.set({ kind: 'trickle', everyMs: 5 })
    const response = await post(proxy.url, ['a'], 300)
    expect(response.status).toBe(200)
    const reader = response.body?.getReader()
    let bytes = 0
    while (bytes < 5) bytes += (await reader?.read())?.value?.length ?? 0
    const readOn = async () => {
      for (;;) if ((await reader?.read())?.done) return 'ended'
    }
    await expect(readOn()).rejects.toThrow()
  })

  test('a cut-off answer is invalid JSON or a body that breaks off; a dropped request gets no answer', async () => {
    const proxy = await proxyOfEcho()
    proxy.set({ kind: 'cut-off' }, { times: 1 })
    const text = await (await post(proxy.url, ['a'])).text()
    expect(text).toMatch(/^\{"jsonrpc"/)
    expect(() => JSON.parse(text)).toThrow()
    proxy.set({ kind: 'cut-off', connection: true }, { times: 1 })
    await expect(post(proxy.url, ['a']).then((one) => one.text())).rejects.toThrow()
    proxy.set({ kind: 'drop' }, { times: 1 })
    await expect(post(proxy.url, ['a'])).rejects.toThrow()
    expect(await ask(proxy.url, 'a')).toMatchObject({ method: 'a' })
  })

  test('an error for the batch has no id; a limit spares smaller batches', async () => {
    const proxy = await proxyOfEcho()
    proxy.set({ kind: 'batch-error', code: -32005, message: 'slow down' }, { times: 1 })
    expect(await batch(proxy.url, [['a'], ['b']])).toEqual({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32005, message: 'slow down' },
    })
    proxy.set({ kind: 'batch-limit', max: 2 })
    expect(await batch(proxy.url, [['a'], ['b'], ['c']])).toMatchObject({ id: null })
    expect(await batch(proxy.url, [['a'], ['b']])).toHaveLength(2)
  })

  test.each([
    ['reversed', [2, 1, 0]],
    ['one-missing', [1, 2]],
    ['one-doubled', [0, 1, 2, 0]],
  ] as const)('replies come %s', async (how, ids) => {
    const proxy = await proxyOfEcho()
    proxy.set({ kind: 'replies', how })
    const replies = await batch(proxy.url, [['a'], ['b'], ['c']])
    expect(replies.map((one) => one.id)).toEqual(ids)
  })

  test('a fault for some methods does not affect requests without these methods', async () => {
    const proxy = await proxyOfEcho()
    proxy.set({ kind: 'unavailable' }, { methods: ['b'] })
    proxy.set({ kind: 'lying-null', methods: ['c'] }, { methods: ['c'] })
    expect((await post(proxy.url, ['a'])).status).toBe(200)
    expect((await post(proxy.url, [['a'], ['b']])).status).toBe(503)
    const [a, c] = await batch(proxy.url, [['a'], ['c']])
    expect([a?.result, c?.result]).toEqual([{ method: 'a', answers: 2 }, null])
  })

  test('the same seed gives the same faults, another seed gives other faults', async () => {
    const node = await echo()
    const statuses = async (seed: number) => {
      const proxy = await startFaultProxy(node.url, seed)
      proxy.set({ kind: 'unavailable' }, { probability: 0.5 })
      const seen: number[] = []
      for (let i = 0; i < 24; i += 1) seen.push((await post(proxy.url, ['a'])).status)
      return seen
    }
    const first = await statuses(7)
    expect(new Set(first)).toEqual(new Set([200, 503]))
    expect(await statuses(7)).toEqual(first)
    expect(await statuses(8)).not.toEqual(first)
  })
})

describe.skipIf(!hasAnvil)('faults of single results, over a real chain', () => {
  const setUp = async () => {
    const chain = await startTestChain()
    const account = chain.addressOf(9)
    const paid = await chain.send(await chain.signToken(1, account, 5_000_000n))
    const blockNumber = await chain.mine()
    await chain.mine(4)
    const head = blockNumber + 4
    const proxy = await startFaultProxy(chain.url)
    const block = (number: number | string, full = false) =>
      ask<RpcObject | null>(proxy.url, 'eth_getBlockByNumber', [
        typeof number === 'number' ? hex(number) : number,
        full,
      ])
    const numberAt = async (tag: string) => Number((await block(tag))?.number)
    const receipts = (hash: unknown) =>
      ask<RpcObject[] | null>(proxy.url, 'eth_getBlockReceipts', [hash])
    return { chain, proxy, account, paid, blockNumber, head, block, numberAt, receipts }
  }

  test('a stale node shows no head, block, receipt or state above its own head', async () => {
    const { chain, proxy, paid, blockNumber, head, block, numberAt, receipts, account } =
      await setUp()
    const mined = await block(blockNumber)
    const restore = proxy.set({ kind: 'stale', at: blockNumber - 1 })
    expect(await numberAt('latest')).toBe(blockNumber - 1)
    expect(await numberAt('finalized')).toBe(blockNumber - 3)
    expect(Number(await ask(proxy.url, 'eth_blockNumber'))).toBe(blockNumber - 1)
    expect(await block(blockNumber)).toBeNull()
    expect(await ask(proxy.url, 'eth_getBlockByHash', [mined?.hash, false])).toBeNull()
    expect(await receipts(mined?.hash)).toBeNull()
    expect(await ask(proxy.url, 'eth_getTransactionReceipt', [paid.hash])).toBeNull()
    const filter = { fromBlock: '0x0', toBlock: hex(head), address: TOKEN }
    const seen = await ask<RpcObject[]>(proxy.url, 'eth_getLogs', [filter])
    expect(seen.some((log) => log.transactionHash === paid.hash)).toBe(false)
    const late = [account, hex(head)]
    await expect(ask(proxy.url, 'eth_getBalance', late)).rejects.toThrow(/header not found/)
    const pinned = [account, { blockHash: mined?.hash }]
    await expect(ask(proxy.url, 'eth_getBalance', pinned)).rejects.toThrow(/header not found/)
    restore()
    proxy.set({ kind: 'stale' })
    expect(await numberAt('latest')).toBe(head)
    await chain.mine(3)
    expect(await numberAt('latest')).toBe(head)
    proxy.heal()
    expect(await numberAt('latest')).toBe(head + 3)
  })

  test('a head goes backwards, and the finality with it', async () => {
    const { proxy, numberAt, head } = await setUp()
    proxy.set({ kind: 'backwards', blocks: 3 })
    expect(await numberAt('latest')).toBe(head - 3)
    expect(await numberAt('finalized')).toBe(head - 5)
  })

  test('the final block is the given one, or one that the node does not know', async () => {
    const { proxy, numberAt, block, head } = await setUp()
    const setFinality = (at: 2 | 'latest' | 'null' | 'unknown') => {
      proxy.heal()
      proxy.set({ kind: 'finality', at })
    }
    setFinality(2)
    expect(await numberAt('finalized')).toBe(2)
    setFinality('latest')
    expect(await numberAt('finalized')).toBe(head)
    setFinality('null')
    expect(await block('finalized')).toBeNull()
    setFinality('unknown')
    await expect(block('finalized')).rejects.toThrow(/-32602/)
    expect(await numberAt('latest')).toBe(head)
  })

  test('existing logs, receipts and transactions can be hidden', async () => {
    const { proxy, paid, block, blockNumber, receipts } = await setUp()
    const hash = (await block(blockNumber))?.hash
    const logs = () => ask<RpcObject[]>(proxy.url, 'eth_getLogs', [{ blockHash: hash }])
    expect([(await logs()).length, (await receipts(hash))?.length]).toEqual([1, 1])
    proxy.set({ kind: 'no-logs' })
    proxy.set({ kind: 'no-receipts' })
    proxy.set({ kind: 'lying-null' })
    expect([await logs(), await receipts(hash)]).toEqual([[], []])
    expect(await ask(proxy.url, 'eth_getTransactionReceipt', [paid.hash])).toBeNull()
    expect(await ask(proxy.url, 'eth_getTransactionByHash', [paid.hash])).toBeNull()
  })

  test('a wide range and a missing method are refused', async () => {
    const { proxy } = await setUp()
    proxy.set({ kind: 'range-limit', blocks: 3 })
    proxy.set({ kind: 'rpc-error', methods: ['eth_getProof'] })
    const logs = (toBlock: string) => ask(proxy.url, 'eth_getLogs', [{ fromBlock: '0x1', toBlock }])
    await expect(logs('0x3')).resolves.toBeInstanceOf(Array)
    await expect(logs('0x4')).rejects.toThrow(/limited to a 3 range/)
    await expect(ask(proxy.url, 'eth_getProof', [])).rejects.toThrow(/-32601/)
  })

  test('another chain id, another result of a contract, another hash of a block', async () => {
    const { proxy, block, account } = await setUp()
    const call = [{ to: TOKEN, data: `0x70a08231${account.slice(2).padStart(64, '0')}` }, 'latest']
    proxy.set({ kind: 'wrong-chain', chainId: 5 })
    proxy.set({ kind: 'forged-call', to: TOKEN, selector: '0x70a08231', result: '0x07' })
    proxy.set({ kind: 'forged-hash', from: 2 })
    expect(await ask(proxy.url, 'eth_chainId')).toBe('0x5')
    expect(await ask(proxy.url, 'eth_call', call)).toBe('0x07')
    const other = [{ to: TOKEN, data: '0x313ce567' }, 'latest']
    expect(await ask(proxy.url, 'eth_call', other)).not.toBe('0x07')
    const tools = await createProofTools()
    const prove = (number: number) =>
      codeOf(async () => proveHeader((await block(number)) ?? {}, tools))
    expect([await prove(1), await prove(2)]).toEqual(['no error', 'header_forged'])
  })

  test.each<[string, Fault]>([
    ['the status', { kind: 'forged-receipt', change: 'status' }],
    ['an amount', { kind: 'forged-receipt', change: 'amount' }],
    ['an added log', { kind: 'forged-log', token: TOKEN, to: `0x${'22'.repeat(20)}`, amount: 9n }],
  ])('receipts with %s changed fit in all but their root', async (_, fault) => {
    const { proxy, block, blockNumber, receipts } = await setUp()
    const tools = await createProofTools()
    const raw = (await block(blockNumber, true)) ?? {}
    const proven = proveTransactions(proveHeader(raw, tools), raw.transactions as unknown[], tools)
    expect(proveReceipts(proven, (await receipts(raw.hash)) ?? [], tools)).toHaveLength(1)
    proxy.set(fault)
    const forged = (await receipts(raw.hash)) ?? []
    expect(() => proveReceipts(proven, forged, tools)).toThrow(/contradict their receiptsRoot/)
  })

  test.each([
    ['tokens', TOKEN],
    ['the chain’s own currency', undefined],
  ])(
    'a forged branch proves itself from end to end, with a payment of %s that was never sent',
    async (_, token) => {
      const { chain, proxy, paid, blockNumber, head, block, receipts, account } = await setUp()
      const honest = await block(blockNumber)
      const from = blockNumber - 1
      proxy.set({
        kind: 'forged-branch',
        from,
        pay: { to: account, amount: 77n, block: blockNumber, ...(token ? { token } : {}) },
      })
      const tools = await createProofTools()
      let parent = proveHeader((await block(from - 1)) ?? {}, tools)
      const below = await chain.call<RpcObject>('eth_getBlockByNumber', [hex(from - 1), false])
      expect(parent.hash).toBe(below.hash)
      for (let number = from; number <= head; number += 1) {
        const raw = (await block(number, true)) ?? {}
        const header = proveHeader(raw, tools)
        expect(header.parentHash).toBe(parent.hash)
        const proven = proveTransactions(header, raw.transactions as unknown[], tools)
        expect(proven.proof).toBe('transactions-root')
        const proved = proveReceipts(proven, (await receipts(header.hash)) ?? [], tools)
        if (number === blockNumber) {
          expect(header.hash).not.toBe(honest?.hash)
          const invented = proven.transactions.at(-1)
          expect(proved.map((one) => one.txHash)).toEqual([paid.hash, invented?.hash])
          expect(proved[1]).toMatchObject({
            succeeded: true,
            logs: token ? [{ address: token }] : [],
          })
          expect(invented).toMatchObject(
            token ? { to: token, value: 0n } : { to: account, value: 77n },
          )
          expect(invented && recoverSender(invented)).toMatch(/^0x[0-9a-f]{40}$/)
          const named = await ask(proxy.url, 'eth_getTransactionReceipt', [invented?.hash])
          expect(named).toMatchObject({ blockHash: header.hash, status: '0x1' })
          const filter = { blockHash: header.hash }
          const logs = await ask<RpcObject[]>(proxy.url, 'eth_getLogs', [filter])
          expect(logs).toHaveLength(token ? 2 : 1)
        }
        parent = header
      }
      expect((await block('latest'))?.hash).toBe(parent.hash)
      expect(await ask(proxy.url, 'eth_getBlockByHash', [honest?.hash, false])).toBeNull()
      const pinned = [account, { blockHash: parent.hash }]
      expect(await ask(proxy.url, 'eth_getBalance', pinned)).toMatch(/^0x/)
    },
  )

  test('several faults work at once: a stale node, on a forged branch, behind a rate limit', async () => {
    const { proxy, block, blockNumber, numberAt } = await setUp()
    const honest = await block(blockNumber)
    proxy.set({ kind: 'forged-branch', from: 1 })
    proxy.set({ kind: 'stale', at: blockNumber })
    proxy.set({ kind: 'rate-limit' }, { times: 1 })
    expect((await post(proxy.url, ['eth_blockNumber'])).status).toBe(429)
    expect(await numberAt('latest')).toBe(blockNumber)
    expect((await block('latest'))?.hash).not.toBe(honest?.hash)
  })
})
