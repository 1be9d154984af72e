import type { AddressInfo } from 'node:net'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createHttpServer } from '../../../src/api/server.ts'
import { createTestMetrics } from '../../support/metrics.ts'
import { atLeast, exactly, waitFor } from '../../support/wait-for.ts'
import { createTestCampaign } from '../../support/world.ts'
import { createTestApi, donationBody, type ServerLimits, type TestApi } from './support/api.ts'

/** Sends raw bytes, and reads until the server closes the connection. */
const exchange = (url: string, bytes: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(bytes))
    let received = ''
    socket.setEncoding('utf8')
    socket.on('data', (chunk: string) => {
      received += chunk
    })
    socket.on('end', () => resolve(received))
    socket.on('error', reject)
  })

const envelopeOf = (answer: string): Record<string, unknown> =>
  JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)) as Record<string, unknown>

test('answers over a socket as it does in memory', async () => {
  const api = await createTestApi()
  const url = await api.listen()
  const { userId, token } = await api.signIn()
  const campaignId = await createTestCampaign(api.ctx, {
    creator: { userId },
    account: '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc',
    target: '10',
  })
  const created = await fetch(`${url}/api/donations`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(donationBody(campaignId)),
  })
  expect(created.status).toBe(201)
  expect(created.headers.get('content-type')).toBe('application/json')
  const read = await fetch(`${url}${created.headers.get('location')}`)
  expect(await read.json()).toMatchObject({ campaignId, amount: { value: 12.5 } })
  const head = await fetch(`${url}/healthz`, { method: 'HEAD' })
  expect([head.status, await head.text()]).toEqual([200, ''])
  const missed = await fetch(`${url}/nothing`)
  expect(await missed.json()).toMatchObject({ success: false, code: 'route_not_found' })
})

test('answers what is no valid HTTP with the envelope too', async () => {
  const api = await createTestApi()
  const url = await api.listen()
  const bad = [
    'NONSENSE\r\n\r\n',
    'GET / HTTP/1.1\r\nBad Header\r\n\r\n',
    'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n',
    'GET /healthz HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n',
    'GET /healthz HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n',
    'GET /healthz HTTP/1.1\r\nHost: a\r\nHOST: a\r\n\r\n',
    `GET / HTTP/1.1\r\nHost: x\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`,
    'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
  ]
  for (const bytes of bad) {
    const answer = await exchange(url, bytes)
    expect(answer).toMatch(/^HTTP\/1\.1 4(00|31) /)
    expect(envelopeOf(answer)).toMatchObject({ success: false, code: 'invalid_request' })
    expect(answer).toMatch(/x-request-id: \S+/i)
  }
  const ignored = await exchange(
    url,
    'GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\nConnection: close\r\n\r\n',
  )
  expect(ignored).toMatch(/^HTTP\/1\.1 200 /)
})

/** Starts the server of an API, with access to its open connections. */
const serve = async (api: TestApi, limits: ServerLimits) => {
  const server = createHttpServer({ app: api.app, log: api.ctx.log, ...limits })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  let accepted = 0
  server.on('connection', () => {
    accepted++
  })
  const open = (bytes: string): Socket => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    socket.on('error', () => {})
    onTestFinished(() => void socket.destroy())
    return socket
  }
  const holds = (count: number) =>
    waitFor(
      `${count} connections to be open`,
      () => new Promise<number>((resolve) => server.getConnections((_, open) => resolve(open))),
      exactly(count),
    )
  const accepts = (count: number) =>
    waitFor(`${count} connections to be accepted`, () => accepted, exactly(count))
  return { server, open, holds, accepts }
}

/** The request with the longest answer. A few of these fill the kernel's buffers. */
const LONG = 'GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'

test('ends the connection of a client that takes nothing of its answers', async () => {
  const api = await createTestApi()
  const { server, open, holds, accepts } = await serve(api, { stalledMs: 300, checkMs: 30 })
  server.keepAliveTimeout = 3_600_000
  const clients = [1, 2, 3].map(() => {
    const client = open(LONG.repeat(20))
    client.pause()
    return client
  })
  await accepts(clients.length)
  await holds(0)
  const rest = clients[0]?.resume()
  await waitFor('the client to notice', () => rest?.destroyed, Boolean)
  expect(rest?.bytesRead).toBeGreaterThan(0)
})

test('ends the connection of a client that sends a part of a request, and no more', async () => {
  const api = await createTestApi()
  const { open, holds, accepts } = await serve(api, { stalledMs: 300, checkMs: 30 })
  for (const bytes of ['', 'GET / HT', 'NONSENSE\r\n\r\n']) open(bytes).pause()
  await accepts(3)
  await holds(0)
})

test('ends the connection of a refused request, also if its client keeps it open or sends on', async () => {
  const api = await createTestApi()
  const limits = { headersTimeoutMs: 150, requestTimeoutMs: 200, stalledMs: 3_600_000, checkMs: 30 }
  const { open, holds, accepts } = await serve(api, limits)
  const head = 'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n'
  for (const bytes of ['GET / HT', 'NONSENSE\r\n\r\n', head, `${head}\r\n{`]) open(bytes).pause()
  const dripping = open('GET / HT').pause()
  const drip = setInterval(() => dripping.write('T'), 20)
  onTestFinished(() => clearInterval(drip))
  await accepts(5)
  await holds(0)
})

test('serves requests that come together one after the other, and ends who sends too many', async () => {
  const api = await createTestApi()
  let running = 0
  let most = 0
  api.deps.ready = async () => {
    most = Math.max(most, ++running)
    await api.ctx.sql`select 1`
    running--
    return { database: { ok: true } }
  }
  const { open } = await serve(api, {})
  const ask = 'GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n'
  const client = open(ask.repeat(20)).setEncoding('latin1')
  let received = ''
  client.on('data', (text: string) => {
    received += text
  })
  await waitFor('twenty answers', () => received.split('HTTP/1.1 200 OK').length - 1, exactly(20))
  expect(most).toBe(1)
  const greedy = open(ask.repeat(1_000)).resume()
  await waitFor('its connection to be closed', () => greedy.destroyed, Boolean)
  expect(most).toBe(1)
})

test('refuses connections beyond its limit, counts them, and takes new ones when others have ended', async () => {
  const metrics = createTestMetrics()
  const api = await createTestApi()
  const { open, holds } = await serve(api, { maxConnections: 2, metrics })
  const [first] = [open(''), open('')]
  await holds(2)
  const third = open('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n').resume()
  await waitFor('the third to be closed', () => third.destroyed, Boolean)
  expect(third.bytesRead).toBe(0)
  expect(metrics.value('fundproof_http_connections_refused_total', {})).toBe(1)
  first.destroy()
  await holds(1)
  const fourth = open('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n').resume()
  await waitFor('an answer to the fourth', () => fourth.bytesRead, atLeast(1))
})

test('writes a long answer in pieces, so that its socket shows what a client takes', async () => {
  const api = await createTestApi()
  const response = await api.app.request('/openapi.json')
  const pieces: Uint8Array[] = []
  for await (const piece of response.body ?? []) pieces.push(piece)
  const whole = Buffer.concat(pieces)
  expect(pieces.length).toBeGreaterThan(5)
  expect(Math.max(...pieces.map((piece) => piece.byteLength))).toBe(32_768)
  expect(response.headers.get('content-length')).toBe(String(whole.byteLength))
  expect(JSON.parse(whole.toString())).toMatchObject({ openapi: '3.1.0' })
  const url = await api.listen()
  const fetched = await fetch(`${url}/openapi.json`)
  expect(await fetched.text()).toBe(whole.toString())
  const head = await fetch(`${url}/openapi.json`, {
    method: 'HEAD',
    headers: { 'accept-encoding': 'identity' },
  })
  expect(head.headers.get('content-length')).toBe(String(whole.byteLength))
})
