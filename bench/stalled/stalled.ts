import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Context } from '../../src/db/context.ts'
import { newId } from '../../src/kernel/formats/ids.ts'
import { emit, type NewEvent } from '../../src/outbox/emit.ts'
import { type Api, signIn, startApi } from '../record/services.ts'
import type { Cleanup } from '../support/cleanup.ts'
import { connectionsTo } from '../support/connections.ts'
import type { Options } from '../support/options.ts'
import { memoryMbOf } from '../support/process-memory.ts'
import type { BenchServer } from '../support/server.ts'
import { createCampaigns, createDonor, openWorld } from '../support/world.ts'

/** What clients that never read cost the API process. */
export type StalledCase = {
  name: string
  clients: number
  /** Before the clients, and the most while they were connected; null where the system does not tell. */
  beforeMb: number | null
  mostMb: number | null
  /** How long after its last byte the first and the last client were cut off. */
  firstCutS: number | null
  lastCutS: number | null
  /** How many were not cut off within the limit. */
  left: number
}
export type StalledResult = { cases: StalledCase[] }

const STEP_MS = 250
/** How long is waited at most after any client has been sent something. */
const LIMIT_S = 90
const UPDATES = 100
/** Answers that each client asks for at once: more than the buffers of the kernel take. */
const REQUESTS = 10
const EVENTS = 200
const EVENT_CHARACTERS = 60_000
/** Of an account at a time. */
const STREAMS = 10

/**
 * Clients that ask for the longest answers and read nothing: pages of the largest updates, and
 * event streams from the beginning. Each case has an API process of its own.
 */
export const benchStalled = async (
  server: BenchServer,
  cleanup: Cleanup,
  { clients }: Options,
): Promise<StalledResult> => {
  const database = await server.createDatabase()
  const world = await openWorld(database.url)
  cleanup.add(() => world.close())
  await createLargeUpdates(world.ctx)
  const run = async (name: string, requestsOf: (api: Api) => Promise<string[]>) => {
    const api = await startApi(server, cleanup, database.url)
    const result = await observe(api, name, await requestsOf(api))
    console.error(`stalled, ${name}: ${JSON.stringify(result)}`)
    await api.process.stop()
    return result
  }
  const lists = await run('pages of updates', async () =>
    Array<string>(clients).fill(requestOf('/api/updates?limit=100').repeat(REQUESTS)),
  )
  await createEvents(world.ctx)
  const streams = await run('event streams', async ({ origin }) => {
    const tokens = await signInAdmins(world.ctx, origin, Math.ceil(clients / STREAMS))
    return Array.from({ length: clients }, (_, index) => {
      const account = Math.floor(index / STREAMS)
      // A network of its own for each account, because a network has few streams too.
      const network = `X-Forwarded-For: 192.0.${account >> 8}.${account & 255}\r\n`
      const token = `Authorization: Bearer ${tokens[account]}\r\n`
      return requestOf(`/api/events/stream?after=${btoa('0.0')}`, token + network)
    })
  })
  await world.close()
  await database.drop()
  return { cases: [lists, streams] }
}

const requestOf = (path: string, headers = ''): string =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`

/** Connects all clients, which send and never read, and looks until the last one is cut off. */
const observe = async (
  { process, origin }: Api,
  name: string,
  requests: readonly string[],
): Promise<StalledCase> => {
  const port = Number(new URL(origin).port)
  const beforeMb = memoryMbOf(process.pid)
  let mostMb = beforeMb
  const sockets = await Promise.all(requests.map((text) => send(port, text)))
  const progress = createProgress(sockets.map((socket) => socket.localPort ?? 0))
  while (progress.left() > 0 && progress.stillS() < LIMIT_S) {
    await delay(STEP_MS)
    process.assertRunning()
    const nowMb = memoryMbOf(process.pid)
    if (nowMb !== null) mostMb = Math.max(mostMb ?? 0, nowMb)
    const connections = connectionsTo(port)
    if (connections === null) break
    progress.look(connections)
  }
  for (const socket of sockets) socket.destroy()
  const cuts = progress.cuts()
  return {
    name,
    clients: requests.length,
    beforeMb,
    mostMb,
    firstCutS: cuts.length === 0 ? null : Math.min(...cuts),
    lastCutS: cuts.length === 0 ? null : Math.max(...cuts),
    left: progress.left(),
  }
}

/** When each client was sent something last, and how long afterwards it was cut off. */
const createProgress = (ports: readonly number[]) => {
  const beganAtMs = performance.now()
  const open = new Map(ports.map((port) => [port, { bytes: -1, sinceMs: beganAtMs }]))
  const cuts: number[] = []
  const secondsSince = (ms: number) => (performance.now() - ms) / 1_000
  return {
    look(connections: ReadonlyMap<number, number>) {
      for (const [port, seen] of open) {
        const bytes = connections.get(port)
        if (bytes === undefined) {
          open.delete(port)
          cuts.push(secondsSince(seen.sinceMs))
        } else if (bytes > seen.bytes) open.set(port, { bytes, sinceMs: performance.now() })
      }
    },
    left: () => open.size,
    /** Since any of those that are left was sent something. */
    stillS: () => Math.min(...[...open.values()].map(({ sinceMs }) => secondsSince(sinceMs))),
    cuts: () => cuts,
  }
}

const send = (port: number, text: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.off('error', reject).on('error', () => {})
      socket.write(text, () => resolve(socket))
    })
    socket.on('error', reject).pause()
  })

/** As large as the interface takes them, 250 kB each: a control character takes six bytes in JSON. */
const createLargeUpdates = async (ctx: Context): Promise<void> => {
  const creator = await createDonor(ctx)
  const [campaignId] = await createCampaigns(ctx, creator, 1)
  const url = `https://example.org/${'x'.repeat(1_900)}`
  const media = Array(20).fill({ type: 'image', url, caption: null })
  await ctx.sql`
    insert into campaign_update
      (id, campaign_id, author_id, type, title, content, media, created_at)
    select gen_random_uuid(), ${campaignId ?? ''}, ${creator.userId}, ${'\u0001'.repeat(40)},
           ${'\u0001'.repeat(200)}, ${'\u0001'.repeat(35_000)}, ${ctx.sql.json(media)}, now()
    from generate_series(1, ${UPDATES})`
}

const createEvents = async (ctx: Context): Promise<void> => {
  const { userId } = await createDonor(ctx)
  const now = new Date().toISOString()
  const event: NewEvent = {
    type: 'impact.verified',
    campaignId: null,
    audience: [userId],
    data: {
      campaignId: newId(),
      verifiers: [userId],
      evidence: [{ type: 'report', url: 'x'.repeat(EVENT_CHARACTERS), timestamp: now }],
      verifiedAt: now,
    },
  }
  await emit(ctx, Array<NewEvent>(EVENTS).fill(event))
}

/** Administrators, who get every event. An account has at most so many streams. */
const signInAdmins = async (ctx: Context, origin: string, count: number): Promise<string[]> => {
  const tokens: string[] = []
  for (let index = 0; index < count; index++) {
    const promote = (email: string) => ctx.sql`
      update app_user set email_verified_at = now(), roles = '{admin}' where email = ${email}`
    tokens.push(await signIn(origin, `admin${index}`, promote))
  }
  return tokens
}
