import type { ServerResponse } from 'node:http'
import type { Scenario } from './scripted-server.ts'

const ID = '0198c0de-0000-7000-8000-000000000001'
const TIME = '2026-01-31T12:00:00.000Z'
const DRIP_MS = 100
/** So long a client may read what arrived: Bun drops bytes that come together with a reset. */
const CUT_MS = 100

const milestone = {
  id: ID,
  title: 'Wells for Kitui',
  description: 'Clean water for four villages.',
  amount: '12.5',
  cumulative_amount: '12.5',
  status: 'pending',
  verification_docs: [],
  reached_at: null,
  verified_at: null,
  released_at: null,
  campaign_id: ID,
  currency: 'USDC',
}

const wallet = (address = `0x${'ab'.repeat(20)}`) => ({
  success: true,
  wallet: { address, privateKey: `0x${'4f'.repeat(32)}` },
})

const refusal = (code: string) => ({ success: false, error: 'No.', code, requestId: 'req-1' })

const send = (response: ServerResponse, status: number, body: object, headers = {}): void => {
  const text = JSON.stringify(body)
  response
    .writeHead(status, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(text),
      ...headers,
    })
    .end(text)
}

/** Sends the head of a body of 1 000 bytes and the first `bytes` of it. */
const begin = (response: ServerResponse, bytes: number): void => {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 1_000 })
  response.write('{"success":true,"wallet":{'.slice(0, bytes))
}

const key = (number: number) => ({
  id: ID,
  name: `key ${number}`,
  lastFour: 'x7Qa',
  scopes: ['read'],
  createdAt: TIME,
  expiresAt: null,
  lastUsedAt: null,
  revokedAt: null,
})

/** The frame of a stream's event number `index`, whose position is `p<index>`. */
const frame = (index: number): string => {
  const userId = ID.replace(/1$/, String(index))
  const event = { id: userId, event: 'user.verified', created: TIME }
  const data = JSON.stringify({ ...event, data: { userId, verifiedAt: TIME } })
  return `id: p${index}\nevent: user.verified\ndata: ${data}\n\n`
}

/** The opening of a stream, as the service sends it, with a short pause for the next connection. */
const opening = 'retry: 50\nid: p0\n\n'

const openStream = (response: ServerResponse, text: string): void => {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(text)
}

/** What the scripted server does. test/clients/README.md describes each scenario. */
export const SCENARIOS: Record<string, Scenario> = {
  'drop-before': (index, _request, response) => {
    if (index === 0) response.destroy()
    else send(response, 201, wallet())
  },
  'drop-within': (index, _request, response) => {
    if (index > 0) return send(response, 201, wallet())
    begin(response, 20)
    setTimeout(() => response.destroy(), CUT_MS)
  },
  // The header `Connection` keeps its default, so the client may want to use the connection again.
  'drop-after': (_index, _request, response) => {
    const { socket } = response
    send(response, 201, wallet())
    response.once('finish', () => setImmediate(() => socket?.destroy()))
  },
  'stall-head': () => {},
  'stall-body': (_index, _request, response) => begin(response, 26),
  drip: (_index, _request, response) => {
    begin(response, 1)
    const timer = setInterval(() => response.write(' '), DRIP_MS)
    response.once('close', () => clearInterval(timer))
  },
  truncated: (_index, _request, response) => {
    const text = JSON.stringify(milestone)
    response.writeHead(200, { 'Content-Type': 'application/json' })
    response.end(text.slice(0, text.length / 2))
  },
  chunks: async (_index, _request, response) => {
    response.writeHead(201, { 'Content-Type': 'application/json' })
    for (const byte of Buffer.from(JSON.stringify(wallet('Zoë ☂ 𝄞')))) {
      response.write(Buffer.of(byte))
      await new Promise((resolve) => setImmediate(resolve))
    }
    response.end()
  },
  'retry-date': (index, _request, response) => {
    if (index > 0) return send(response, 201, wallet())
    const date = new Date(Date.now() + 2_000).toUTCString()
    send(response, 429, refusal('rate_limited'), { 'Retry-After': date })
  },
  redirect: (_index, _request, response, base) => {
    response.writeHead(302, { Location: `${base}/elsewhere` }).end()
  },
  elsewhere: (_index, _request, response) => send(response, 200, milestone),
  pages: (_index, { query }, response) => {
    const page = Number(query.get('cursor') ?? 1)
    const nextCursor = page < 10 ? String(page + 1) : null
    send(response, 200, {
      success: true,
      keys: [1, 2, 3].map((number) => key((page - 1) * 3 + number)),
      pagination: { page, limit: 3, total: 30, pages: 10, nextCursor },
    })
  },
  stream: (index, _request, response) => {
    if (index === 0) {
      const third = frame(3)
      openStream(response, opening + frame(1) + frame(2) + third.slice(0, third.length / 2))
      setTimeout(() => response.destroy(), CUT_MS)
    } else if (index === 1) {
      openStream(response, opening.replace('p0', 'p2') + frame(3) + frame(4))
      response.end()
    } else {
      openStream(response, opening.replace('p0', 'p4') + frame(4) + frame(5))
    }
  },
  'stream-refused': (_index, _request, response) => send(response, 403, refusal('forbidden')),
  refresh: (_index, { path, headers, body }, response) => {
    if (path === '/api/auth/refresh') {
      if (!body.includes('"refresh-1"')) return send(response, 401, refusal('refresh_reused'))
      const tokens = { accessToken: 'new', refreshToken: 'refresh-2', expires: 900 }
      return send(response, 200, { success: true, tokens })
    }
    if (headers.authorization === 'Bearer new') return send(response, 201, wallet())
    send(response, 401, refusal('invalid_token'))
  },
}
