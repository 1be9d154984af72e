import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/**
 * Runs webhook receivers in a process, each on another port. They verify nothing, and store only
 * the time of the first arrival of each event.
 */
export type Behaviour = keyof typeof ANSWERS | 'dead'

export type ReceiversJob =
  /** Opens receivers. The answer lists their ports in the same order. */
  | { kind: 'open'; behaviours: readonly Behaviour[] }
  /** Deletes the recorded arrivals. */
  | { kind: 'reset' }
  /** Waits until good receivers have got this number of different events, or until the timeout. */
  | { kind: 'wait'; count: number; timeoutMs: number }
  /** Asks for the first arrival of each event. */
  | { kind: 'arrivals' }

export type Arrived = {
  requests: number
  /** The number of different events. */
  distinct: number
  /** The time of the last first arrival, in milliseconds since 1970. */
  lastAtMs: number
}
export type Arrival = { endpoint: number; eventId: string; atMs: number }

const SLOW_MS = 20_000
/** The least time that a receiver behind a network takes. */
const DISTANT_MS = 10
const TRICKLE_MS = 250
const STEP_MS = 2

const ANSWERS = {
  good: (response: ServerResponse) => {
    response.writeHead(204).end()
  },
  distant: (response: ServerResponse) => {
    setTimeout(() => response.writeHead(204).end(), DISTANT_MS)
  },
  failing: (response: ServerResponse) => {
    response.writeHead(500).end('out of order')
  },
  slow: (response: ServerResponse) => {
    const timer = setTimeout(() => response.writeHead(204).end(), SLOW_MS)
    response.once('close', () => clearTimeout(timer))
  },
  /** Sends a body that never ends, one byte at a time. */
  trickling: (response: ServerResponse) => {
    response.writeHead(200)
    const timer = setInterval(() => response.write('.'), TRICKLE_MS)
    response.once('close', () => clearInterval(timer))
  },
} as const

const firstSeen: Map<string, number>[] = []
const total: Arrived = { requests: 0, distinct: 0, lastAtMs: 0 }

const note = (request: IncomingMessage, endpoint: number): void => {
  const eventId = String(request.headers['webhook-id'])
  const seen = firstSeen[endpoint]
  total.requests++
  if (!seen || seen.has(eventId)) return
  const atMs = performance.timeOrigin + performance.now()
  seen.set(eventId, atMs)
  total.distinct++
  total.lastAtMs = atMs
}

const open = async (behaviour: Behaviour, endpoint: number): Promise<number> => {
  firstSeen[endpoint] = new Map()
  const server = createServer((request, response) => {
    request.resume()
    request.once('end', () => {
      if (behaviour === 'dead') return
      if (behaviour === 'good' || behaviour === 'distant') note(request, endpoint)
      ANSWERS[behaviour](response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  // The server is closed, so connections to its port are refused.
  if (behaviour === 'dead') await closed(server)
  return port
}

const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
  })

const answer = async (job: ReceiversJob): Promise<unknown> => {
  switch (job.kind) {
    case 'open': {
      firstSeen.length = 0
      return Promise.all(job.behaviours.map(open))
    }
    case 'reset': {
      for (const seen of firstSeen) seen.clear()
      Object.assign(total, { requests: 0, distinct: 0, lastAtMs: 0 })
      return {}
    }
    case 'wait': {
      const deadline = performance.now() + job.timeoutMs
      while (total.distinct < job.count && performance.now() < deadline) await delay(STEP_MS)
      return total
    }
    case 'arrivals':
      return firstSeen.flatMap((seen, endpoint) =>
        [...seen].map(([eventId, atMs]): Arrival => ({ endpoint, eventId, atMs })),
      )
  }
}

if (import.meta.main) {
  process.on('disconnect', () => process.exit(0))
  // The other files of this folder send the jobs.
  process.on('message', (job: ReceiversJob) => {
    void answer(job).then((result) => process.send?.(result))
  })
}
