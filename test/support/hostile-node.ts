import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { type RpcServer, serveRpc } from './rpc-server.ts'

/** Answers the calls with these ids in any form. Resolves when everything is sent. */
export type Attack = (response: ServerResponse, ids: readonly number[]) => unknown

const MIB = 1024 * 1024
const HUGE = 40 * MIB
/** A right-to-left override, NUL, a terminal colour and a line break. */
export const NASTY = '\u202e\u0000\u001b[31m\r\n'

const head = (response: ServerResponse, headers: Record<string, string> = {}) =>
  response.writeHead(200, { 'content-type': 'application/json', ...headers })

const send = (response: ServerResponse, body: unknown) =>
  head(response).end(typeof body === 'string' ? body : JSON.stringify(body))

/**
 * Sends `unit` until the body has this number of bytes, or until the reader closes the connection.
 */
const flood = async (response: ServerResponse, unit: string | Buffer, bytes = HUGE) => {
  const one = Buffer.from(unit)
  const part = Buffer.alloc(Math.ceil(MIB / one.length) * one.length, one)
  for (let sent = 0; sent < bytes && !response.destroyed; sent += part.length) {
    if (response.write(part)) continue
    await new Promise<void>((resolve) => {
      response.once('drain', resolve).once('close', resolve)
    })
  }
}

/** Answers the first call. The result is `before`, many times `unit`, and `after`. */
const result =
  (before: string, unit: string | Buffer, after: string, bytes = HUGE): Attack =>
  async (response, [id = 0]) => {
    head(response).write(`[{"jsonrpc":"2.0","id":${id},"result":${before}`)
    await flood(response, unit, bytes)
    response.end(`${after}}]`)
  }

const error =
  (message: unknown, code: unknown = -32000): Attack =>
  (response, ids) =>
    send(
      response,
      ids.map((id) => ({ jsonrpc: '2.0', id, error: { code, message } })),
    )

const replies = (ids: readonly unknown[], value: unknown = '0x1') =>
  ids.map((id) => ({ jsonrpc: '2.0', id, result: value }))

const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`

const bomb = gzipSync(Buffer.alloc(HUGE, '[],'), { level: 1 })

const every = (ms: number, response: ServerResponse, write: () => void) => {
  const timer = setInterval(write, ms)
  response.once('close', () => clearInterval(timer))
}

/** Answers with too many bytes or values, by name. */
export const FLOODS: Readonly<Record<string, Attack>> = {
  'a list of empty objects': result('[', '{},', '{}]'),
  'a list of empty lists': result('[', '[],', '[]]'),
  'a list of small objects': result('[', '{"a":{"b":1.5}},', '0]'),
  'a list of digits': result('[', '7,', '7]'),
  'a list of texts': result('[', '"ab",', '0]'),
  'a list of objects, just below the limit of bytes': result('[', '{},', '{}]', 30 * MIB),
  'a list of nulls': result('[', 'null,', 'null]'),
  'one key many times': result('{', '"a":1,', '"a":1}'),
  'deep lists': (response) => send(response, `[{"id":0,"result":${nested(MIB)}}]`),
  'lists nested a little too deep': (response) =>
    send(response, `[{"id":0,"result":${nested(4_000)}}]`),
  'brackets that never end': result('', '[', ''),
  'objects that never end': result('', '{"a":', ''),
  'a text': result('"', 'x', '"'),
  'a text below the limit of bytes': result('"', 'x', '"', 30 * MIB),
  'a text beyond Latin letters': result('"', '漢', '"', 30 * MIB),
  'many escapes': result('"', '\\u0041', '"', 30 * MIB),
  'quotes that never end': result('"', '\\"', '', 30 * MIB),
  'a number': result('', '9', '', 30 * MIB),
  'a long exponent': result('1e', '9', '', 30 * MIB),
  'hexadecimal digits': result('"0x', '00', '"', 30 * MIB),
  blanks: result('', ' ', '1'),
  'many replies': async (response) => {
    head(response).write('[')
    await flood(response, '{"jsonrpc":"2.0","id":0,"result":"0x1"},')
    response.end('1]')
  },
}

/** Answers that are malformed in other ways, by name. */
export const MALFORMED: Readonly<Record<string, Attack>> = {
  'duplicate ids': (response, ids) => send(response, replies([...ids, ...ids])),
  'other ids': (response, ids) => send(response, replies(ids.map((id) => id + 1_000))),
  'ids of other types': (response, ids) => send(response, replies(ids.map((id) => [`${id}`]))),
  'too few replies': (response, ids) => send(response, replies(ids.slice(1))),
  'results of other types': (response, ids) => send(response, replies(ids, { a: [NASTY] })),
  'a long message': async (response, [id = 0]) => {
    const message = JSON.stringify(NASTY).slice(0, -1)
    head(response).write(`[{"jsonrpc":"2.0","id":${id},"error":{"code":1,"message":${message}`)
    await flood(response, 'no ', 21 * MIB)
    response.end('"}}]')
  },
  'a message that a terminal obeys': error(`${NASTY}refused`),
  'a message that is a list': error([[[NASTY]]], [[-32000]]),
  'a message nested deeply': (response, [id]) =>
    send(response, `[{"id":${id},"error":{"code":${nested(1_000)},"message":${nested(1_000)}}}]`),
  'unknown fields of a header with long names': (response, ids) =>
    send(response, replies(ids, fieldsNamed(`${NASTY}${'f'.repeat(5 * MIB)}`))),
  'invalid UTF-8': (response) => head(response).end(Buffer.from([0x5b, 0x22, 0xff, 0xc0, 0x5d])),
  'compressed data': (response) => head(response, { 'content-encoding': 'gzip' }).end(bomb),
  'compressed data without its name': (response) => head(response).end(bomb),
  'long headers': (response) => head(response, { 'x-long': 'h'.repeat(MIB) }).end('[]'),
  'many headers': (response) => {
    for (let at = 0; at < 5_000; at++) response.setHeader(`x-${at}`, 'h'.repeat(100))
    head(response).end('[]')
  },
  'many interim answers': (response) => {
    for (let at = 0; at < 20_000; at++) response.writeProcessing()
    response.destroy()
  },
  'one byte in each chunk': async (response) => {
    head(response, { 'transfer-encoding': 'chunked' }).flushHeaders()
    response.socket?.cork()
    const { socket } = response
    const part = Buffer.from('1\r\n \r\n'.repeat(64 * 1024))
    while (socket && !socket.destroyed) {
      if (socket.write(part)) await new Promise((resolve) => setImmediate(resolve))
      else await new Promise<void>((end) => socket.once('drain', end).once('close', end))
    }
  },
  'a body that ends early': (response) => {
    head(response, { 'content-length': '999999' }).write('[', () => response.destroy())
  },
  'a body longer than its length': (response) =>
    response.socket?.end(`HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\n[${'x'.repeat(MIB)}`),
  'a slow body': (response) => {
    head(response)
    every(50, response, () => response.write(' '))
  },
  'a long error page': async (response) => {
    response.writeHead(500, { 'content-type': 'text/html' })
    await flood(response, `<p>${NASTY}</p>`)
    response.end()
  },
  'a long refusal': (response) => response.writeHead(400).end(`${NASTY}${'limit '.repeat(2_000)}`),
  'an answer without a body': (response) => response.writeHead(204).end(),
  'a redirection': (response) => response.writeHead(302, { location: '/' }).end(),
  'no HTTP': (response) => response.socket?.end(NASTY),
}

export const ATTACKS = { ...FLOODS, ...MALFORMED }

/** A well-formed block with extra fields of this name, so that no hash fits. */
const fieldsNamed = (name: string) => {
  const hash = `0x${'ab'.repeat(32)}`
  const names = ['hash', 'parentHash', 'sha3Uncles', 'stateRoot', 'transactionsRoot']
  const hashes = [...names, 'receiptsRoot', 'mixHash'].map((field) => [field, hash])
  const counts = ['number', 'difficulty', 'gasLimit', 'gasUsed', 'timestamp']
  return {
    ...Object.fromEntries(hashes),
    ...Object.fromEntries(counts.map((field) => [field, '0x1'])),
    ...{ miner: `0x${'cd'.repeat(20)}`, nonce: `0x${'0'.repeat(16)}`, extraData: '0x' },
    ...{ logsBloom: `0x${'0'.repeat(512)}`, transactions: [], [name]: '0x', [`${name}2`]: '0x' },
  }
}

export type HostileNode = {
  server: RpcServer
  /** The attacks so far, in order. */
  made: string[]
  /** The next attacks, one for each request. If the list is empty, the node answers honestly. */
  next: string[]
  /** Only requests whose body matches are attacked. */
  about: RegExp
}

/** A node that answers as `upstream` does, or attacks. The caller closes its server. */
export const serveHostile = async (
  upstream: <T>(method: string, params?: readonly unknown[]) => Promise<T>,
): Promise<HostileNode> => {
  const server = await serveRpc((method, params) => upstream(method, params))
  const node: HostileNode = { server, made: [], next: [], about: /./ }
  server.intercept = (_, response, body) => {
    const name = node.about.test(body) ? node.next.shift() : undefined
    const attack = Object.entries(ATTACKS).find(([known]) => known === name)?.[1]
    if (name === undefined || !attack) return false
    node.made.push(name)
    const parsed = JSON.parse(body) as { id: number } | { id: number }[]
    response.setMaxListeners(0).on('error', () => {})
    void attack(
      response,
      [parsed].flat().map(({ id }) => id),
    )
    return true
  }
  return node
}
