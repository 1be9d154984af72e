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

/** The cost of clients that never read, for the API process. */
export type StalledCase = {
  name: string
  clients: number
  /**
   * The memory before the clients, and the most while they were connected, or null if the system
   * does not report it.
   */
  beforeMb: number | null
  mostMb: number | null
  /**
   * The time between the last byte to a client and its disconnection, for the first and the last
   * client.
   */
  firstCutS: number | null
  lastCutS: number | null
  /** The number of clients that were not disconnected within the limit. */
  left: number
}
export type StalledResult = { cases: StalledCase[] }

const STEP_MS = 250
/** The longest wait after the last byte to any client. */
const LIMIT_S = 90
const UPDATES = 100
/**
 * The number of requests that each client sends at once. Their answers do not fit into the kernel's
 * buffers.
 */
const REQUESTS = 10
const EVENTS = 200
const EVENT_CHARACTERS = 60_000
/** The number of streams that an account may have at a time. */
const STREAMS = 10

/**
 * Connects clients that request the longest answers and read nothing: pages of the largest updates,
 * and event streams from the beginning. Each case has a new API process.
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
      // Each account uses another network, because a network may have only a few streams.
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

/**
 * Connects all clients, which send and never read, and watches until the last one is disconnected.
 */
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

/** Records the time of the last byte to each client, and the time until its disconnection. */
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
    /** The seconds since a connected client last got a byte. */
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

/**
 * Creates updates of the largest accepted size, 250 kB each, with control characters, which take
 * six bytes in JSON.
 */
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

/**
 * Signs in administrators, who get every event. Several are needed, because an account may have
 * only a few streams.
 */
const signInAdmins = async (ctx: Context, origin: string, count: number): Promise<string[]> => {
  const tokens: string[] = []
  for (let index = 0; index < count; index++) {
    const promote = (email: string) => ctx.sql`
      update app_user set email_verified_at = now(), roles = '{admin}' where email = ${email}`
    tokens.push(await signIn(origin, `admin${index}`, promote))
  }
  return tokens
}
