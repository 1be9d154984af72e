import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { inBatches } from '../../../src/chain/rpc/in-batches.ts'
import type { RpcReply } from '../../../src/chain/rpc/json-rpc.ts'
import type { NodePoolOptions } from '../../../src/chain/rpc/pool.ts'
import { RpcFault, type RpcServer } from '../../support/rpc-server.ts'
import {
  answerAll,
  codeOf,
  connectPool,
  createTestTiming,
  GRACE_MS,
  serveForTest,
} from './support.ts'

const CALL = { method: 'eth_blockNumber', params: [] }
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index)
const numbers = (count: number) => upTo(count).map((index) => ({ method: 'echo', params: [index] }))
const results = (replies: readonly RpcReply[]) =>
  replies.map((reply) => (reply.ok ? reply.result : reply.error))

describe('the pool of nodes', () => {
  const serve = () =>
    serveForTest((method, [first]) => {
      if (method === 'eth_chainId') return '0x1'
      return method === 'echo' ? first : '0x7'
    })
  const connect = (servers: readonly RpcServer[], options: Partial<NodePoolOptions> = {}) => {
    const usual = { maxResponseBytes: 1_000_000, backoffMs: 10, graceMs: GRACE_MS }
    return connectPool(servers, { ...usual, ...options })
  }
  const sizes = (server: RpcServer) => {
    const seen: number[] = []
    server.intercept = (_request, _response, body) => {
      const parsed: unknown = JSON.parse(body)
      seen.push(Array.isArray(parsed) ? parsed.length : 0)
      return false
    }
    return seen
  }

  test('blames the node whose answer makes the reading throw anything, and asks the next one', async () => {
    const [first, second] = [await serve(), await serve()]
    first.alter = (method, _params, result) =>
      method === 'echo' ? JSON.parse('{"toString": null}') : result
    const pool = connect([first, second])
    const read = (replies: readonly RpcReply[]) => results(replies).map(String)
    expect(await pool.ask(numbers(1), read)).toEqual(['0'])
    expect(pool.status()).toMatchObject([
      { state: 'distrusted', reason: 'bad_response' },
      { state: 'up' },
    ])
  })

  test('halves a batch that is refused, keeps the size that worked, and loses no reply', async () => {
    const server = await serve()
    const seen: number[] = []
    server.intercept = (_request, response, body) => {
      const { length } = JSON.parse(body) as unknown[]
      seen.push(length)
      if (length <= 30) return false
      response.writeHead(413).end('request entity too large')
      return true
    }
    const { timing } = createTestTiming()
    const pool = connect([server], { timing })
    expect(await pool.ask(numbers(100), results)).toEqual(upTo(100))
    expect(seen.slice(0, 3)).toEqual([101, 50, 50])
    seen.length = 0
    expect(await pool.ask(numbers(100), results)).toEqual(upTo(100))
    expect(seen).toEqual([25, 25, 25, 25])
  })

  const refusals: [string, number, string][] = [
    ['a batch limit', -32600, 'batch too large'],
    ['an invalid request', -32600, 'Invalid Request'],
    ['a batch limit in other words', -32602, 'maximum 20 calls in one batch'],
    ['the size of the answer', -32003, 'response too large'],
  ]
  test.each(refusals)('halves a batch after an error about %s', async (_, code, message) => {
    const server = await serve()
    server.alterBatch = (replies) =>
      replies.length > 20 ? [{ jsonrpc: '2.0', id: null, error: { code, message } }] : replies
    const pool = connect([server])
    expect(await pool.ask(numbers(64), results)).toHaveLength(64)
    expect(pool.stats().requests).toBeLessThan(12)
  })

  test('asks again only for those calls of a batch whose answers did not fit', async () => {
    const server = await serve()
    server.alterBatch = (replies) =>
      replies.map((reply, index) =>
        index < 10
          ? reply
          : { id: reply.id, error: { code: -32003, message: 'response too large' } },
      )
    const pool = connect([server])
    expect(await pool.ask(numbers(40), results)).toEqual(upTo(40))
    const first = server.calls.filter((call) => call.params[0] === 0)
    expect(first).toHaveLength(1)
  })

  test('cuts a batch whose answer is above our own limit', async () => {
    const server = await serve()
    server.alter = (method, _params, result) => (method === 'echo' ? 'x'.repeat(1_000) : result)
    const pool = connect([server], { maxResponseBytes: 20_000 })
    const asked = await inBatches(numbers(50), (some) => pool.ask(some, results))
    expect(asked).toHaveLength(50)
  })

  test('halves a batch that is too large for some nodes, though another node breaks off', async () => {
    const [first, second, third] = [await serve(), await serve(), await serve()]
    for (const server of [first, second]) {
      server.alter = (method, _, result) => (method === 'echo' ? 'x'.repeat(6_000) : result)
    }
    answerAll(third, (response) => response.writeHead(503).end('busy'))
    const cooldown = { firstMs: 1, longestMs: 5 }
    const pool = connect([first, second, third], { maxResponseBytes: 20_000, cooldown })
    const ask = (calls: ReturnType<typeof numbers>) => pool.ask(calls, results)
    expect(await inBatches(numbers(20), ask)).toHaveLength(20)
  })

  test('asks a node that knows no batches one call at a time, and remembers it', async () => {
    const server = await serve()
    server.alterBatch = () => ({ id: null, error: { code: -32000, message: 'not an object' } })
    const seen = sizes(server)
    const pool = connect([server])
    expect(await pool.ask(numbers(12), results)).toEqual(upTo(12))
    expect(seen[0]).toBe(13)
    seen.length = 0
    await pool.ask(numbers(3), results)
    expect(seen).toEqual([0, 0, 0])
  })

  test('does not take an outage for a node without batches', async () => {
    const server = await serve()
    server.alterBatch = () => ({ id: null, error: { code: -32000, message: 'out of order' } })
    server.alter = () => {
      throw new RpcFault(-32000, 'out of order')
    }
    const pool = connect([server])
    await codeOf(() => pool.ask(numbers(2), results))
    server.alterBatch = undefined
    server.alter = undefined
    const seen = sizes(server)
    await pool.ask(numbers(4), results)
    expect(seen[0]).toBeGreaterThan(0)
  })

  test('has no limit of its own: a healthy node is asked without a pause', async () => {
    const { timing, slept } = createTestTiming()
    const pool = connect([await serve()], { timing })
    for (let request = 0; request < 50; request += 1) await pool.ask([CALL], results)
    expect(slept).toEqual([])
    expect(pool.status()[0]?.ratePerSecond).toBeNull()
  })

  test('asks a node last for a minute after an answer that took more than two seconds', async () => {
    const { timing, advance } = createTestTiming()
    const [slow, fast] = [await serve(), await serve()]
    const pool = connect([slow, fast], { timing, quorum: 1 })
    slow.alter = (_method, _params, result) => {
      advance(8_000)
      return result
    }
    await pool.ask([CALL], results)
    slow.alter = undefined
    const asked = slow.requests
    for (let request = 0; request < 3; request += 1) await pool.ask([CALL], results)
    expect([slow.requests - asked, fast.requests]).toEqual([0, 3])
    await fast.close()
    await pool.ask([CALL], results)
    expect(slow.requests - asked).toBe(1)
    advance(60_000)
    await pool.ask([CALL], results)
    expect(slow.requests - asked).toBe(2)
  })

  test('asks a node last for a minute after it let a request time out, also if it answers others', async () => {
    const { timing, advance } = createTestTiming()
    const [slow, fast] = [await serve(), await serve()]
    const pool = connect([slow, fast], { timing, quorum: 1, timeoutMs: 1_000 })
    await pool.assertChainId()
    let hung = 0
    slow.intercept = (_request, _response, body) => {
      if (!body.includes('eth_blockNumber')) return false
      hung += 1
      advance(10_000)
      return true
    }
    await pool.ask([CALL], results)
    advance(1_000)
    await pool.assertChainId()
    expect(pool.status()).toMatchObject([{ state: 'up' }, { state: 'up' }])
    await pool.ask([CALL], results)
    expect(hung).toBe(1)
    expect(fast.calls.filter(({ method }) => method === 'eth_blockNumber')).toHaveLength(2)
  })

  test('does not wait longer than a minute for the batches of a slow node', async () => {
    const { timing, advance } = createTestTiming()
    const [slow, fast] = [await serve(), await serve()]
    const pool = connect([slow, fast], { timing, quorum: 1 })
    await pool.assertChainId()
    slow.intercept = (_request, response, body) => {
      if (!body.startsWith('[')) advance(9_000)
      else response.writeHead(200).end('{"id":null,"error":{"code":-32600,"message":"no batches"}}')
      return body.startsWith('[')
    }
    const asked = slow.requests
    expect(await pool.ask(numbers(100), results)).toHaveLength(100)
    expect(slow.requests - asked).toBeLessThan(20)
    expect(fast.calls.filter(({ method }) => method === 'echo')).toHaveLength(100)
  })

  test('asks half as fast as it did when a node complains, and then a little faster each time', async () => {
    const { timing, slept, advance } = createTestTiming()
    const server = await serve()
    const pool = connect([server], { timing })
    for (let request = 0; request < 40; request += 1) await pool.ask([CALL], results)
    advance(100)
    server.alter = () => {
      server.alter = undefined
      throw new RpcFault(-32005, 'limit exceeded')
    }
    await pool.ask([CALL], results)
    expect(pool.status()[0]?.ratePerSecond).toBeCloseTo(20.5 * 1.05, 5)
    slept.length = 0
    await pool.ask([CALL], results)
    await pool.ask([CALL], results)
    expect(slept.at(-1)).toBeCloseTo(1_000 / (20.5 * 1.05), 0)
    expect(pool.status()[0]?.ratePerSecond).toBeCloseTo(20.5 * 1.05 ** 3, 5)
  })

  test('asks at least once a second, and below this rate makes batches smaller', async () => {
    const { timing, slept } = createTestTiming()
    const server = await serve()
    let complaints = 0
    server.alterBatch = (replies) => {
      if (replies.length <= 10) return replies
      complaints += 1
      return [{ id: null, error: { code: -32005, message: 'too many calls' } }]
    }
    const pool = connect([server], { timing })
    for (let passes = 0; passes < 20 && complaints < 30; passes += 1) {
      if ((await codeOf(() => pool.ask(numbers(40), results))) === 'no error') break
    }
    expect(await pool.ask(numbers(40), results)).toHaveLength(40)
    expect(Math.max(...slept)).toBeLessThanOrEqual(6_000)
  })

  test('a failing node has a longer cooldown each time, while the other node answers and probes go on', async () => {
    const { timing, advance } = createTestTiming()
    const [broken, healthy] = [await serve(), await serve()]
    const pool = connect([broken, healthy], { quorum: 1, timing })
    answerAll(broken, (response) => response.destroy())
    const probed = async () => {
      const before = broken.requests
      await pool.ask([CALL], results)
      return broken.requests > before
    }
    expect(await probed()).toBe(true)
    const rests: number[] = []
    for (let round = 0; round < 18; round += 1) {
      let rested = 0
      while (!(await probed()) && rested < 100_000) {
        const step = Math.max(10, rested / 10)
        advance(step)
        rested += step
      }
      // The probe runs in the background, so the test waits until the probe has failed.
      await expect.poll(() => pool.status()[0]?.state).toBe('cooldown')
      await new Promise((resolve) => setImmediate(resolve))
      rests.push(rested)
    }
    expect(rests[0]).toBeLessThanOrEqual(150)
    expect(rests.at(-1)).toBeGreaterThan(20_000)
    expect(rests.at(-1)).toBeLessThanOrEqual(36_000)
    broken.intercept = undefined
    advance(40_000)
    await pool.ask([CALL], results)
    await expect.poll(() => pool.status()[0]?.state).toBe('up')
  })

  test('asks a node for its chain id again after a cooldown, before it believes an answer', async () => {
    const server = await serve()
    const pool = connect([server], { cooldown: { firstMs: 1, longestMs: 1 } })
    await pool.ask([CALL], results)
    server.intercept = (_request, response) => {
      server.intercept = undefined
      server.alter = (method, _params, result) => (method === 'eth_chainId' ? '0x5' : result)
      response.destroy()
      return true
    }
    expect(await codeOf(() => pool.ask([CALL], results))).toBe('wrong_chain')
  })

  test('tells two nodes at one host apart', async () => {
    const server = await serve()
    const pool = connect([server, server], { quorum: 1 })
    const { host } = new URL(server.url)
    expect(pool.status().map(({ node }) => node)).toEqual([host, `${host}#2`])
  })

  test('outvotes a node that differs, and says so once', async () => {
    const servers = [await serve(), await serve(), await serve()]
    const [liar] = servers
    if (liar) liar.alter = (method, _, result) => (method === 'eth_blockNumber' ? '0x9' : result)
    const pool = connect(servers)
    expect(await pool.agree([CALL], ([reply]) => reply, JSON.stringify)).toMatchObject({
      result: '0x7',
    })
    expect(pool.status().map(({ state, reason }) => [state, reason])).toEqual([
      ['distrusted', 'outvoted'],
      ['up', null],
      ['up', null],
    ])
  })

  test('logs a line when a node goes and one when it is back, not one for each request', async () => {
    const lines: { level: number; node: string; state: string; reason: string | null }[] = []
    const log = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) })
    const { timing, advance } = createTestTiming()
    const server = await serve()
    const pool = connect([server], { timing, log })
    await pool.ask([CALL], results)
    expect(lines).toEqual([])
    answerAll(server, (response) => response.writeHead(503).end())
    for (let pass = 0; pass < 4; pass += 1) {
      expect(await codeOf(() => pool.ask([CALL], results))).toBe('transport')
      advance(1_000)
    }
    server.intercept = undefined
    for (let pass = 0; pass < 4; pass += 1) await pool.ask([CALL], results)
    const node = new URL(server.url).host
    expect(lines).toMatchObject([
      { level: 40, node, state: 'cooldown', reason: 'transport' },
      { level: 30, node, state: 'up', reason: null },
    ])
  })

  test('asks no more nodes than it needs where these agree', async () => {
    const servers = [await serve(), await serve(), await serve()]
    await connect(servers).agree([CALL], ([reply]) => reply, JSON.stringify)
    expect(servers.map((server) => server.requests)).toEqual([1, 1, 0])
  })
})
