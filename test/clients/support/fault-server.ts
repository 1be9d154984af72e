import { readFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { listen } from '../../support/listen.ts'

/** A part of an answer: its bytes, the name of an action, or the name of an answer in the table. */
export type Step =
  | string
  | { raw: string }
  /** A text that is sent every 0.1 s. */
  | { every: string }
  | Whole

/** An answer that is sent with its length. `spaces`: the number of spaces before its body. */
type Whole = { status?: number; headers?: Record<string, string>; body?: unknown; spaces?: number }

/** The answers of the server in a case. The last answer of a list repeats. */
export type Script = {
  name: string
  answers?: (Step | Step[])[]
  /** The answers to refresh requests. */
  refresh?: (Step | Step[])[]
  /** The access token that requests need. Other requests are answered with 401 `invalid_token`. */
  bearer?: string
}

/** The parts of a request that the tests check. */
export type Seen = {
  method: string
  path: string
  headers: Record<string, string>
  body: string
  atMs: number
}

export type FaultServer = {
  /** The origin of a script. Each script has another origin, so scripts share no connections. */
  url(name: string): string
  of(name: string): Seen[]
  /** Whether a client was still waiting for an answer at the server's deadline. */
  wasLate(name: string): boolean
  close(): void
}

/** The table of all faults, and the answers that have names. */
export const FAULTS = JSON.parse(
  readFileSync(join(import.meta.dirname, '../faults.json'), 'utf8'),
) as { answers: Record<string, Step> }

/** A session whose access token has expired. The token `refresh-1` refreshes the session. */
export const SESSION: Script = {
  name: 'session',
  answers: ['wallet'],
  refresh: ['tokens'],
  bearer: 'new',
}

const DEADLINE_MS = 15_000
const DRIP_MS = 100
/**
 * The time in which a client reads its data before a reset, because Bun drops data that comes with
 * the reset.
 */
const CUT_MS = 100

/** Starts a server for each script, each on another TCP port. */
export const startFaultServer = async (scripts: readonly Script[]): Promise<FaultServer> => {
  const seen = new Map<string, Seen[]>(scripts.map(({ name }) => [name, []]))
  const late = new Set<string>()
  const open = new Set<Socket>()
  const urls = new Map<string, string>()
  const named = FAULTS.answers

  const bytesOf = (text: string, base = ''): Buffer => {
    const wallet = JSON.stringify((named.wallet as { body: unknown }).body)
    const binary = Buffer.from(wallet).toString('latin1')
    const filled = text
      .replaceAll('$WALLET', () => binary)
      .replaceAll('$CHUNKS', () => binary.replaceAll(/./gs, (byte) => `1\r\n${byte}\r\n`))
      .replaceAll('$LENGTH', String(binary.length))
      .replaceAll('$BASE', base)
      .replaceAll(/\$EVENT(\d)/g, (_, index) => eventOf(index))
      .replaceAll('$LONG', 'a'.repeat(400_000))
      .replaceAll(/\$IN(-?\d+)/g, (_, s) => new Date(Date.now() + s * 1_000).toUTCString())
    return Buffer.from(filled, 'latin1')
  }

  const whole = ({ status = 200, headers = {}, body, spaces = 0 }: Whole, base?: string) => {
    const text = typeof body === 'object' ? JSON.stringify(body) : filledText(String(body ?? ''))
    const content = Buffer.from(' '.repeat(spaces) + text)
    const all = { 'Content-Type': 'application/json', 'Content-Length': content.length, ...headers }
    const lines = Object.entries(all).map(([key, value]) => `${key}: ${value}\r\n`)
    const head = bytesOf(`HTTP/1.1 ${status} Text\r\n${lines.join('')}\r\n`, base)
    return Buffer.concat([head, content])
  }

  /** Sends an answer. Returns whether the connection stays open. */
  const play = async (socket: Socket, name: string, steps: Step[]): Promise<boolean> => {
    const base = urls.get(name)
    for (const step of steps) {
      const one = typeof step === 'string' ? (named[step] ?? step) : step
      if (one === 'end') socket.end()
      else if (one === 'close' || one === 'reset') {
        await new Promise((resolve) => setTimeout(resolve, CUT_MS))
        if (one === 'close') socket.destroy()
        else socket.resetAndDestroy()
      } else if (one === 'stall' || (typeof one === 'object' && 'every' in one)) {
        const text = typeof one === 'object' ? bytesOf(one.every as string) : Buffer.of()
        const timer = setInterval(() => socket.write(text), DRIP_MS)
        const deadline = setTimeout(() => {
          late.add(name)
          socket.destroy()
        }, DEADLINE_MS)
        socket.once('close', () => {
          clearInterval(timer)
          clearTimeout(deadline)
        })
        return false
      } else if (typeof one === 'string') throw new Error(`No answer of the table: ${one}`)
      else socket.write('raw' in one ? bytesOf(one.raw as string, base) : whole(one, base))
    }
    return socket.writable
  }

  const stepsFor = (script: Script, request: Seen): Step[] => {
    const before = seen.get(script.name) ?? []
    const isRefresh = request.path === '/api/auth/refresh'
    const fits = (one: Seen) =>
      isRefresh
        ? one.path === '/api/auth/refresh'
        : one.path !== '/api/auth/refresh' && isAllowed(script, one)
    if (!isRefresh && !isAllowed(script, request)) return ['invalid_token']
    if (isRefresh && !request.body.includes('"refresh-1"')) return ['refresh_reused']
    const list = (isRefresh ? script.refresh : script.answers) ?? []
    const answer = list[Math.min(before.filter(fits).length, list.length - 1)] ?? 'unexpected'
    return Array.isArray(answer) ? answer : [answer]
  }

  const serve = (script: Script) => (socket: Socket) => {
    open.add(socket)
    let input = Buffer.alloc(0)
    let busy = false
    const next = async (): Promise<void> => {
      const end = input.indexOf('\r\n\r\n')
      if (busy || end === -1) return
      const [first = '', ...lines] = input.subarray(0, end).toString('latin1').split('\r\n')
      const headers = Object.fromEntries(
        lines.map((line) => [line.split(':')[0]?.toLowerCase(), line.replace(/^.*?:\s*/, '')]),
      ) as Record<string, string>
      const size = end + 4 + Number(headers['content-length'] ?? 0)
      if (input.length < size) return
      busy = true
      const body = input.subarray(end + 4, size).toString()
      input = input.subarray(size)
      const [method = '', path = ''] = first.split(' ')
      const request: Seen = { method, path, headers, body, atMs: Date.now() }
      const steps = stepsFor(script, request)
      seen.get(script.name)?.push(request)
      if (!(await play(socket, script.name, steps))) return
      busy = false
      await next()
    }
    socket
      .on('data', (bytes) => {
        input = Buffer.concat([input, bytes])
        next().catch((error: Error) => socket.destroy(error))
      })
      .on('error', () => socket.destroy())
      .on('close', () => open.delete(socket))
  }
  const servers = await Promise.all(
    scripts.map(async (script) => {
      const { url, close } = await listen(createServer(serve(script)))
      urls.set(script.name, url)
      return close
    }),
  )
  return {
    url: (name) => urls.get(name) ?? '',
    of: (name) => seen.get(name) ?? [],
    wasLate: (name) => late.has(name),
    close: () => {
      for (const close of servers) void close()
      for (const socket of open) socket.destroy()
    },
  }
}

/** A frame of the event stream. The cursor of its event is `p<index>`. */
const eventOf = (index: string): string => {
  const [userId, created] = [`0198c0de-0000-7000-8000-00000000000${index}`, '2026-01-31T12:00:00Z']
  const event = { id: userId, event: 'user.verified', created }
  const data = JSON.stringify({ ...event, data: { userId, verifiedAt: created } })
  return `id: p${index}\nevent: user.verified\ndata: ${data}\n\n`
}

/** Replaces `$DEEP` in a text of the table by 100,000 brackets. */
export const filledText = (text: string): string => text.replaceAll('$DEEP', '['.repeat(100_000))

const isAllowed = ({ bearer }: Script, { headers }: Seen): boolean =>
  bearer === undefined || headers.authorization === `Bearer ${bearer}`
