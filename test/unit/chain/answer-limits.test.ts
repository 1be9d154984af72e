import { describe, expect, onTestFinished, test } from 'vitest'
import { ChainError } from '../../../src/chain/errors.ts'
import { answerBytes, checkValues } from '../../../src/chain/rpc/answer-limits.ts'
import type { NodePoolOptions } from '../../../src/chain/rpc/pool.ts'
import { HOSTILE_JSON } from '../../support/hostile-json.ts'
import { ATTACKS, NASTY, serveHostile } from '../../support/hostile-node.ts'
import type { RpcHandler, RpcServer } from '../../support/rpc-server.ts'
import { codeOf, connectPool, serveForTest } from './support.ts'

const MIB = 1024 * 1024
/** The attacks that last until the time limit of a request. */
const SLOW = new Set(['a slow body', 'one byte in each chunk'])
const NO_BATCHES = '{"id":null,"error":{"code":-32600,"message":"no batches"}}'
const echo: RpcHandler = (method, [value]) => (method === 'eth_chainId' ? '0x1' : value)

const serve = () => serveForTest(echo)
const connect = (servers: readonly RpcServer[], options: Partial<NodePoolOptions> = {}) =>
  connectPool(servers, { backoffMs: 1, timeoutMs: 5_000, ...options })
const calls = (method: string, count = 1) =>
  Array.from({ length: count }, (_, at) => ({ method, params: [`0x${at}`] }))
const results = (replies: readonly { ok: boolean }[]) => replies.length

const tooMany = (name: string): [string, string] => [name, 'too_large']
const tooDeep = (name: string): [string, string] => [name, 'bad_response']

describe('the limits of answers', () => {
  test('a chain id has far less room than a block, and a header less than a whole block', () => {
    const block = { method: 'eth_getBlockByNumber', params: ['0x1', true] }
    const header = { method: 'eth_getBlockByNumber', params: ['0x1', false] }
    expect(answerBytes(calls('eth_chainId'))).toBe(4_096)
    expect(answerBytes([header])).toBe(4 * MIB)
    expect(answerBytes([block])).toBe(32 * MIB)
  })

  test.each([
    ['eth_chainId', 9_000],
    ['eth_getTransactionCount', 9_000],
    ['eth_getProof', 300_000],
    ['eth_call', 3 * MIB],
    ['eth_getCode', 3 * MIB],
    ['eth_getBlockReceipts', 33 * MIB],
  ])('an answer to %s of %i bytes is refused, and the node is named', async (method, bytes) => {
    const server = await serve()
    server.intercept = (_, response, body) => {
      if (!body.includes(method)) return false
      response.writeHead(200).end('x'.repeat(bytes))
      return true
    }
    const pool = connect([server])
    await pool.assertChainId().catch(() => {})
    expect(await codeOf(() => pool.ask(calls(method), results))).toBe('too_large')
    expect(pool.status()).toMatchObject([{ state: 'cooldown', reason: 'too_large' }])
  })

  test('the answers to one send share one sum, also when a batch is refused and asked singly', async () => {
    const server = await serve()
    server.intercept = (_, response, body) => {
      if (!body.startsWith('[') || !body.includes('echo')) return false
      response.writeHead(200).end(NO_BATCHES)
      return true
    }
    server.alter = (method, _params, value) => (method === 'echo' ? 'x'.repeat(10_000) : value)
    const pool = connect([server], { maxResponseBytes: 35_000 })
    await pool.assertChainId()
    expect(await codeOf(() => pool.ask(calls('echo', 20), results))).toBe('too_large')
    expect(server.calls.filter(({ method }) => method === 'echo').length).toBeLessThan(12)
    expect(await pool.ask(calls('echo', 3), results)).toBe(3)
  })

  test('the values of all answers to one send share one sum too', async () => {
    const server = await serve()
    server.intercept = (_, response, body) => {
      if (!body.includes('echo')) return false
      const values = `{"id":0,"result":[${'{},'.repeat(400)}0]}`
      response.writeHead(200).end(body.startsWith('[') ? NO_BATCHES : values)
      return true
    }
    const pool = connect([server], { maxResponseBytes: 32_000 })
    await pool.assertChainId()
    expect(await pool.ask(calls('echo'), results)).toBe(1)
    expect(await codeOf(() => pool.ask(calls('echo', 2), results))).toBe('too_large')
  })

  const counted: [string, string][] = [
    ...['many short numbers', 'many fractions', 'many empty objects', 'many texts'].map(tooMany),
    ...['many keys', 'one key many times'].map(tooMany),
    ...['deep arrays', 'deep objects', 'brackets that never end'].map(tooDeep),
  ]
  test.each(counted)('%s are refused before they are parsed, as %s', async (name, code) => {
    const text = HOSTILE_JSON[name]?.(MIB) ?? ''
    expect(await codeOf(() => checkValues(text, 2 * MIB, 'a node'))).toBe(code)
  })

  test('an escaped quote does not end a text, and many of them are refused', async () => {
    expect(await codeOf(() => checkValues('["\\\\\\"[[",[1]]', 200, 'a node'))).toBe('no error')
    expect(await codeOf(() => checkValues('["\\\\",[[[[1]]]]]', 128, 'a node'))).toBe('too_large')
    const quotes = `"${'\\"'.repeat(MIB)}"`
    expect(await codeOf(() => checkValues(quotes, 2 * MIB, 'a node'))).toBe('too_large')
  })

  test('brackets and commas within a text count as no values', () => {
    const text = JSON.stringify({ a: '[{,'.repeat(MIB / 3), b: '\\"[{'.repeat(999) })
    expect(() => checkValues(text, 2 * MIB, 'a node')).not.toThrow()
  })

  test.each(Object.keys(ATTACKS))(
    'one node of three that sends %s changes no result',
    async (name) => {
      const answer = async (method: string, params: readonly unknown[] = []) =>
        echo(method, params) as never
      const hostile = await serveHostile(answer)
      onTestFinished(() => hostile.server.close())
      const pool = connect([hostile.server, await serve(), await serve()], {
        graceMs: 50,
        timeoutMs: SLOW.has(name) ? 2_000 : 10_000,
      })
      hostile.next = new Array(20).fill(name)
      const values = await pool.agree(
        calls('echo', 3),
        (replies) => replies.map((reply) => (reply.ok ? reply.result : null)),
        JSON.stringify,
      )
      expect(values).toEqual(['0x0', '0x1', '0x2'])
      expect(hostile.made).toContain(name)
      await expect.poll(() => pool.status()[0]?.state, { timeout: 15_000 }).not.toBe('up')
    },
  )

  test('a text of a node is cut and has only printable characters', () => {
    const { message } = new ChainError('rpc_error', `${NASTY}${'a'.repeat(20 * MIB)}`)
    expect(message).toMatch(/^\?\[31m\?a+\.\.\.$/)
    expect(message.length).toBeLessThan(1_010)
  })
})
