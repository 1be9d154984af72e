import type { ServerResponse } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { ChainClient } from '../../../src/chain/client-interface.ts'
import { ChainError } from '../../../src/chain/errors.ts'
import { RpcFault, type RpcHandler } from '../../support/rpc-server.ts'
import { answerAll, clientOf, codeOf, serveForTest } from './support.ts'

const HASH = `0x${'ab'.repeat(32)}`
const PLACE = { blockNumber: 7, blockHash: `0x${'cd'.repeat(32)}` }

const LONG = { firstMs: 60_000, longestMs: 60_000 }

/** A node that finds every transaction in block 7. */
const knowing: RpcHandler = (method, [hash]) => {
  if (method === 'eth_chainId') return '0x1'
  return { transactionHash: hash, blockNumber: '0x7', blockHash: PLACE.blockHash }
}

const breakOff = (response: ServerResponse) => {
  response.writeHead(200, { 'content-length': 99 })
  response.write('[', () => response.destroy())
}

describe('the transport under the chain client', () => {
  const serve = (handler: RpcHandler = knowing) => serveForTest(handler)
  const connect = (...args: Parameters<typeof clientOf>): ChainClient => {
    const client = clientOf(...args)
    onTestFinished(() => client.close())
    return client
  }
  const codeAt = ({ url }: { url: string }) => codeOf(() => ask(connect({ urls: [url] })))
  const ask = async (client: ChainClient) => (await client.findTransactions([HASH])).get(HASH)

  test('asks for the chain once, within the first batch', async () => {
    const server = await serve()
    const client = connect({ urls: [server.url] })
    await ask(client)
    await ask(client)
    expect(server.calls.map((call) => call.method)).toEqual([
      'eth_chainId',
      'eth_getTransactionReceipt',
      'eth_getTransactionReceipt',
    ])
    expect(client.stats()).toEqual({ calls: 3, requests: 2 })
  })

  test('hides the keys of the URL in the error of a node', async () => {
    const server = await serve((method) => {
      if (method === 'eth_chainId') return '0x1'
      throw new RpcFault(-32_000, 'the key my hidden1 of hidden23 and hidden-4 is wrong in v2')
    })
    const url = `${server.url.replace('//', '//hidden-4:my%20hidden1@')}/v2/hidden23?id=hidden-4`
    const error = await ask(connect({ urls: [url] })).catch(String)
    expect(error).toContain('the key *** of *** and *** is wrong in v2')
  })

  test('refuses a node of another chain, when asked and with the first answer', async () => {
    const server = await serve((method) => (method === 'eth_chainId' ? '0x2' : null))
    const client = connect({ urls: [server.url] })
    expect(await codeOf(() => client.assertChainId())).toBe('wrong_chain')
    expect(await codeOf(() => ask(client))).toBe('wrong_chain')
    expect(server.requests).toBe(2)
  })

  test('goes on without a node of another chain, and names it', async () => {
    const wrong = await serve((method) => (method === 'eth_chainId' ? '0x2' : null))
    const urls = [wrong.url, (await serve()).url]
    const client = connect({ urls, chain: { quorum: 1 } })
    await client.assertChainId()
    expect(await ask(client)).toEqual(PLACE)
    expect(client.nodes().map(({ state }) => state)).toEqual(['wrong_chain', 'up'])
    expect(wrong.calls.map((call) => call.method)).not.toContain('eth_getTransactionReceipt')
  })

  test('refuses nodes that are all of another chain', async () => {
    const urls: string[] = []
    for (const id of ['0x2', '0x3']) urls.push((await serve(() => id)).url)
    expect(await codeOf(() => connect({ urls }).assertChainId())).toBe('wrong_chain')
  })

  test('starts with the nodes that answer', async () => {
    const client = connect({ urls: ['http://127.0.0.1:1', (await serve()).url] })
    await client.assertChainId()
    expect(await ask(client)).toEqual(PLACE)
  })

  test('splits many look-ups into batches of 100, and matches replies in any order', async () => {
    const server = await serve()
    server.alterBatch = (replies) => replies.reverse()
    const client = connect({ urls: [server.url] })
    const hashes = Array.from({ length: 250 }, (_, i) => `0x${i.toString(16).padStart(64, '0')}`)
    const found = await client.findTransactions(hashes)
    expect([...found.keys()]).toEqual(hashes)
    expect(server.requests).toBe(3)
  })

  const retried: [string, (response: ServerResponse) => void][] = [
    ['429', (response) => response.writeHead(429, { 'retry-after': '0' }).end()],
    ['503', (response) => response.writeHead(503).end('busy')],
    ['a dropped connection', (response) => response.destroy()],
    ['no JSON', (response) => response.end('<html>')],
    ['truncated JSON', (response) => response.end('[{"jsonrpc":"2.0","id":0,"res')],
    ['a body that breaks off', breakOff],
  ]
  test.each(retried)('tries again after %s', async (_, fault) => {
    const server = await serve()
    server.intercept = (request, response) => {
      if (request <= 2) fault(response)
      return request <= 2
    }
    expect(await ask(connect({ urls: [server.url] }))).toEqual(PLACE)
    expect(server.requests).toBe(3)
  })

  const givenUp: [string, string, (response: ServerResponse) => void, number][] = [
    ['429', 'rate_limited', (response) => response.writeHead(429).end(), 3],
    ['500', 'transport', (response) => response.writeHead(500).end(), 3],
    ['a dropped connection', 'transport', (response) => response.destroy(), 3],
    ['no JSON', 'bad_response', (response) => response.end('hello'), 3],
    ['403', 'rpc_error', (response) => response.writeHead(403).end(), 1],
  ]
  test.each(givenUp)('gives up on %s with %s', async (_, code, fault, requests) => {
    const server = await serve()
    answerAll(server, fault)
    expect(await codeAt(server)).toBe(code)
    expect(server.requests).toBe(requests)
  })

  test('leaves a long Retry-After, in seconds, to the caller', async () => {
    const server = await serve()
    answerAll(server, (response) => response.writeHead(429, { 'retry-after': '60' }).end())
    const error = await ask(connect({ urls: [server.url] })).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ChainError)
    expect(error).toMatchObject({ code: 'rate_limited', retryable: true, retryAfterMs: 60_000 })
    expect(server.requests).toBe(1)
  })

  test('repeats only the calls of a batch that were refused for their rate', async () => {
    const server = await serve()
    let refused = 0
    server.alter = (_method, [hash], result) => {
      if (hash !== HASH || refused === 2) return result
      refused += 1
      throw new RpcFault(-32005, 'limit exceeded')
    }
    const other = `0x${'ef'.repeat(32)}`
    const found = await connect({ urls: [server.url] }).findTransactions([HASH, other])
    expect(found).toEqual(new Map([HASH, other].map((hash) => [hash, PLACE])))
    expect(server.calls.filter((call) => call.params[0] === other)).toHaveLength(1)
  })

  test('bounds the whole exchange in time, though bytes keep coming', async () => {
    const server = await serve()
    const timers: NodeJS.Timeout[] = []
    answerAll(server, (response) => {
      response.writeHead(200).write('[')
      timers.push(setInterval(() => response.write(' '), 10))
    })
    const client = connect({ urls: [server.url], timeoutMs: 150 })
    const started = performance.now()
    expect(await codeOf(() => ask(client))).toBe('timeout')
    expect(performance.now() - started).toBeLessThan(5_000)
    for (const timer of timers) clearInterval(timer)
  })

  test('bounds the size of an answer', async () => {
    const server = await serve()
    server.alter = () => 'x'.repeat(20_000)
    const client = connect({ urls: [server.url], maxResponseBytes: 10_000 })
    expect(await codeOf(() => ask(client))).toBe('too_large')
  })

  test('reads a long refusal of any text in less than a second', async () => {
    const server = await serve()
    answerAll(server, (response) => response.writeHead(400).end('exceed'.repeat(1_500)))
    const before = performance.now()
    expect(await codeAt(server)).toBe('rpc_error')
    expect(performance.now() - before).toBeLessThan(1_000)
  })

  test('asks the next node when one fails, and then that one first', async () => {
    const broken = await serve()
    answerAll(broken, (response) => response.destroy())
    const healthy = await serve()
    const urls = [broken.url, healthy.url]
    const client = connect({ urls, chain: { quorum: 1 }, cooldown: LONG })
    expect(await ask(client)).toEqual(PLACE)
    expect(await ask(client)).toEqual(PLACE)
    expect([broken.requests, healthy.requests]).toEqual([1, 2])
  })

  const forAll = (code: number) => ({ id: null, error: { code, message: 'no' } })
  const batches: [string, string, (replies: Record<string, unknown>[]) => unknown][] = [
    ['an error about the whole batch', 'rpc_error', () => [forAll(-32000)]],
    ['a rate limit for the whole batch', 'rate_limited', () => forAll(-32005)],
    ['a missing reply', 'bad_response', (replies) => replies.slice(1)],
    ['a doubled reply', 'bad_response', (replies) => [...replies, ...replies]],
    ['an unknown id', 'bad_response', (replies) => [...replies, { id: 99, result: null }]],
    ['replies that are no objects', 'bad_response', () => ['a', 'b']],
    ['neither result nor error', 'bad_response', (replies) => replies.map(({ id }) => ({ id }))],
  ]
  test.each(batches)('reads %s as %s', async (_, code, alter) => {
    const server = await serve()
    server.alterBatch = alter
    expect(await codeAt(server)).toBe(code)
  })

  test('reads an error about an unknown block as a missing block, for asking again', async () => {
    const server = await serve()
    server.alter = (method, _params, result) => {
      if (method !== 'eth_getTransactionReceipt') return result
      throw new RpcFault(-32000, 'header not found')
    }
    expect(await codeAt(server)).toBe('block_missing')
  })

  test('names no more of a URL than its host', async () => {
    const urls = ['http://user:hush@127.0.0.1:1/v3/key-hush']
    const error = await ask(connect({ urls })).catch(String)
    expect(error).toContain('127.0.0.1:1')
    expect(error).not.toContain('hush')
  })

  test('ends what is under way when it is closed', async () => {
    const server = await serve()
    const { promise: arrived, resolve } = Promise.withResolvers<void>()
    answerAll(server, () => resolve())
    const client = connect({ urls: [server.url] })
    const asked = codeOf(() => ask(client))
    await arrived
    await client.close()
    expect(await asked).toBe('closed')
    expect(await codeOf(() => ask(client))).toBe('closed')
  })
})
