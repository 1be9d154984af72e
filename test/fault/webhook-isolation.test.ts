import { createServer, type ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../src/kernel/ports/clock.ts'
import { emit } from '../../src/outbox/emit.ts'
import { createDeliverWebhooksJob } from '../../worker/delivery/deliver-webhooks.ts'
import { createWorld, sandboxDeliverer, type World } from '../integration/webhooks/support/world.ts'
import { listen } from '../support/listen.ts'
import { waitFor } from '../support/wait-for.ts'

/** The limits of attempts in flight, as in production. */
const PLACES = 64
const PER_ENDPOINT = 8
const PER_USER = 10

const BEHAVIOURS = {
  good: (response: ServerResponse) => response.writeHead(204).end(),
  failing: (response: ServerResponse) => response.writeHead(500).end('out of order'),
  silent: () => {},
  slow: (response: ServerResponse) => {
    const timer = setTimeout(() => response.writeHead(204).end(), 20_000)
    response.once('close', () => clearTimeout(timer))
  },
  trickling: (response: ServerResponse) => {
    response.writeHead(200)
    const timer = setInterval(() => response.write('.'), 100)
    response.once('close', () => clearInterval(timer))
  },
  trickling_head: (response: ServerResponse) => {
    response.socket?.write('HTTP/1.1 200 OK\r\nx-slow: ')
    const timer = setInterval(() => response.socket?.write('.'), 100)
    response.socket?.once('close', () => clearInterval(timer))
  },
  flooding: (response: ServerResponse) => {
    const chunk = Buffer.alloc(64 * 1024, 'x')
    const write = () => {
      while (!response.destroyed && response.write(chunk)) {
        // Writes until the connection is full.
      }
    }
    response.writeHead(500).on('drain', write)
    write()
  },
  huge_head: (response: ServerResponse) => {
    const { socket } = response
    const write = () => {
      while (socket && !socket.destroyed && socket.write(`x-more: ${'x'.repeat(8_000)}\r\n`)) {
        // Writes until the connection is full.
      }
    }
    socket?.on('drain', write).on('error', () => {})
    socket?.write('HTTP/1.1 200 OK\r\n')
    write()
  },
} as const
type Behaviour = keyof typeof BEHAVIOURS

type Target = {
  behaviour: Behaviour
  url: string
  received: Set<string>
  /** The number of open requests: now, and the highest so far. */
  open: number
  mostOpen: number
  close(): Promise<void>
}

const startTarget = async (behaviour: Behaviour): Promise<Target> => {
  const server = createServer((request, response) => {
    target.received.add(String(request.headers['webhook-id']))
    target.mostOpen = Math.max(target.mostOpen, ++target.open)
    response.once('close', () => {
      target.open--
    })
    request.resume().once('end', () => BEHAVIOURS[behaviour](response))
  })
  const { url, close } = await listen(server)
  const counts = { received: new Set<string>(), open: 0, mostOpen: 0 }
  const target: Target = { behaviour, url: `${url}/`, ...counts, close }
  return target
}

let world: World
const open: { close(): Promise<void> }[] = []
beforeEach(async () => {
  world = await createWorld()
})
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()))
  await world.close()
})

/** Whether the worker claims the deliveries as rows, or dispatches them as new events. */
type Way = 'claimed' | 'dispatched'

/** Creates endpoints of several users. Every event concerns all these users. */
const setUp = async (way: Way, behaviours: readonly Behaviour[]) => {
  const users: string[] = []
  const targets: Target[] = []
  for (const [index, behaviour] of behaviours.entries()) {
    if (index % PER_USER === 0) users.push(await world.addUser())
    const target = await startTarget(behaviour)
    open.push(target)
    targets.push(target)
    await world.addEndpoint(users.at(-1) ?? '', target.url)
  }
  const happen = async (count: number): Promise<void> => {
    const data = { userId: users[0] ?? '', verifiedAt: new Date().toISOString() }
    const event = { type: 'user.verified' as const, data, audience: users, campaignId: null }
    await emit(
      world.ctx,
      Array.from({ length: count }, () => event),
    )
    if (way === 'dispatched') return job.wakeEvents()
    await world.relayAll()
    job.wakeDeliveries()
  }
  const ctx = { ...world.ctx, clock: systemClock }
  // A timeout that is longer than this test, so no timeout ends a request.
  const deliverer = sandboxDeliverer(systemClock, 60_000)
  const job = createDeliverWebhooksJob(ctx, deliverer, { leaseMs: 90_000 })
  job.start()
  open.unshift({ close: () => job.stop() })
  const named = (...names: Behaviour[]) =>
    targets.filter(({ behaviour }) => names.includes(behaviour))
  const allGoodHave = (count: number) =>
    waitFor(
      `${count} events at every good endpoint`,
      () => named('good').filter(({ received }) => received.size < count).length,
      (missing) => missing === 0,
    )
  return { targets, named, happen, allGoodHave }
}

const statesOf = (url: string) =>
  world.sql<{ status: string; attempts: number }[]>`
    select delivery.status, delivery.attempts from webhook_delivery delivery
    join webhook_endpoint endpoint on endpoint.id = delivery.endpoint_id
    where endpoint.url = ${url}`

const many = (count: number, behaviour: Behaviour): Behaviour[] =>
  Array.from({ length: count }, () => behaviour)

describe('bad endpoints', () => {
  test.each<[Way, ...Behaviour[]]>([
    ['claimed', 'silent', 'trickling', 'failing', 'slow'],
    ['claimed', 'trickling_head', 'flooding', 'huge_head', 'silent'],
    ['dispatched', 'silent', 'trickling', 'failing', 'slow'],
    ['dispatched', 'trickling_head', 'flooding', 'huge_head', 'silent'],
  ])(
    'with deliveries %s, four of a hundred (%s, %s, %s, %s) keep none of the others waiting',
    async (way, ...bad) => {
      const behaviours = [...bad, ...many(96, 'good')]
      const { targets, named, happen, allGoodHave } = await setUp(way, behaviours)
      await happen(12)
      await allGoodHave(12)
      // The requests of the bad endpoints stay open, and all endpoints get more events.
      await happen(8)
      await allGoodHave(20)

      const held = named('silent', 'slow', 'trickling', 'trickling_head')
      for (const { url, received, mostOpen } of held) {
        expect(mostOpen).toBeLessThanOrEqual(PER_ENDPOINT)
        expect(received.size).toBeLessThanOrEqual(PER_ENDPOINT)
        const states = await statesOf(url)
        expect(states.length).toBeGreaterThan(0)
        // No delivery of the bad endpoints has ended, so the good endpoints did not wait for one.
        expect(states.every(({ status, attempts }) => status === 'pending' && attempts === 0)).toBe(
          true,
        )
      }
      for (const { url } of named('failing', 'flooding', 'huge_head')) {
        const states = await statesOf(url)
        expect(states.filter(({ status }) => status !== 'pending')).toEqual([])
      }
      const openAtBad = targets.slice(0, 4).reduce((sum, { mostOpen }) => sum + mostOpen, 0)
      expect(openAtBad).toBeLessThanOrEqual(4 * PER_ENDPOINT)
    },
    90_000,
  )

  test.each<Way>(['claimed', 'dispatched'])(
    'with deliveries %s, more of them than there are places still keep none of the others waiting',
    async (way) => {
      const slow = many(20, 'silent')
      const { named, happen, allGoodHave } = await setUp(way, [...slow, ...many(5, 'good')])
      await happen(20)
      await allGoodHave(20)
      for (let round = 1; round <= 5; round++) {
        await happen(4)
        await allGoodHave(20 + 4 * round)
      }
      const states = await Promise.all(named('silent').map(({ url }) => statesOf(url)))
      expect(states.flat().every(({ attempts }) => attempts === 0)).toBe(true)
      const most = named('silent').reduce((sum, { open }) => sum + open, 0)
      expect(most).toBeGreaterThanOrEqual(PLACES / 2)
      expect(most).toBeLessThanOrEqual(2 * PLACES)
    },
    90_000,
  )
})
