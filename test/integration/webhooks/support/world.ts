import { onTestFinished } from 'vitest'
import { createDatabase, type Database } from '../../../../src/db/client.ts'
import type { Context, WakeTopic } from '../../../../src/db/context.ts'
import {
  type ClaimedDelivery,
  createEndpoint,
  recordAttempts,
} from '../../../../src/domain/events/index.ts'
import { newId } from '../../../../src/kernel/formats/ids.ts'
import type { Clock } from '../../../../src/kernel/ports/clock.ts'
import { emit } from '../../../../src/outbox/emit.ts'
import type { EventType } from '../../../../src/outbox/events.ts'
import { createDeliverer, type DeliveryResult } from '../../../../src/webhooks/index.ts'
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts'
import { relayEvents } from '../../../support/deliveries.ts'
import { createContext } from './context.ts'
import { type Receiver, startReceiver } from './receiver.ts'

type Answer = Parameters<typeof startReceiver>[0]

export type MovableClock = Clock & { move(ms: number): void }

/** A clock that starts at the present time, and that only the test moves. */
export const createMovableClock = (): MovableClock => {
  let ms = Date.now()
  return {
    now: () => new Date(ms),
    isTrusted: () => true,
    move(by) {
      ms += by
    },
  }
}

export type World = {
  database: TestDatabase
  sql: Database
  ctx: Context
  clock: MovableClock
  /** The topics that were woken, in order. */
  woken: WakeTopic[]
  /** The context of a user in the same deployment. */
  as(userId: string, roles?: string[]): Context
  addUser(roles?: string[]): Promise<string>
  /** Adds an endpoint that counts as having answered before. */
  addEndpoint(
    userId: string,
    url: string,
    events?: EventType[],
  ): Promise<{ id: string; secret: string }>
  /**
   * Commits `user.verified` events for the user, if given with this campaign. Returns their ids.
   */
  emitEvents(userId: string, count: number, campaignId?: string): Promise<string[]>
  relayAll(): Promise<number>
  /** Commits events as `emitEvents` does, and relays all events to the endpoints. */
  happen(userId: string, count: number): Promise<string[]>
  /** Adds a user, and a receiver that gives this answer to each webhook. */
  addReceiver(answer?: Answer): Promise<{ userId: string; receiver: Receiver }>
  close(): Promise<void>
}

/**
 * A deployment for one test, with a new database and a movable clock. Receivers on loopback are
 * allowed.
 */
export const createWorld = async (): Promise<World> => {
  const database = await createTestDatabase()
  const sql = createDatabase({ url: database.url, max: 20, name: 'test' })
  const clock = createMovableClock()
  const woken: WakeTopic[] = []
  const ctx = createContext(sql, clock, (topic) => woken.push(topic))
  const as = (userId: string, roles: string[] = []): Context => ({
    ...ctx,
    actor: { kind: 'user', userId, roles },
  })
  const world: World = {
    ...{ database, sql, ctx, clock, woken, as },
    async addUser(roles = []) {
      const id = newId()
      await sql`
        insert into app_user (id, email, username, password_hash, lang, roles, created_at)
        values (${id}, ${`${id}@example.com`}, ${id}, '', 'de', ${roles}::text[], now())`
      return id
    },
    async addEndpoint(userId, url, events) {
      const made = await createEndpoint(as(userId), { url, ...(events ? { events } : {}) })
      await sql`
        update webhook_endpoint set answered_at = coalesce(answered_at, ${clock.now()})
        where id = ${made.id}`
      return { id: made.id, secret: made.secret ?? '' }
    },
    emitEvents: (userId, count, campaignId) => emitVerified(ctx, userId, count, campaignId ?? null),
    relayAll: () => relayEvents(ctx),
    async happen(userId, count) {
      const ids = await world.emitEvents(userId, count)
      await world.relayAll()
      return ids
    },
    async addReceiver(answer) {
      const userId = await world.addUser()
      const receiver = await startReceiver(answer)
      await world.addEndpoint(userId, receiver.url)
      return { userId, receiver }
    },
    async close() {
      await sql.end({ timeout: 1 })
      await database.drop()
    },
  }
  return world
}

/** A deployment that is closed after the test. */
export const openWorld = async (): Promise<World> => {
  const world = await createWorld()
  onTestFinished(() => world.close())
  return world
}

const emitVerified = async (
  ctx: Context,
  userId: string,
  count: number,
  campaignId: string | null,
): Promise<string[]> => {
  const data = { userId, verifiedAt: ctx.clock.now().toISOString() }
  const before = await ctx.sql<{ id: string }[]>`select id from event`
  await emit(
    ctx,
    Array.from({ length: count }, () => ({
      type: 'user.verified' as const,
      data,
      audience: [userId],
      campaignId,
    })),
  )
  const known = before.map(({ id }) => id)
  const rows = await ctx.sql<{ id: string }[]>`
    select id from event where id <> all(${known}::uuid[]) order by seq`
  return rows.map(({ id }) => id)
}

export const sandboxDeliverer = (clock: Clock, timeoutMs?: number) =>
  createDeliverer({
    policy: { requireHttps: false, allowLoopback: true },
    clock,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  })

/** Records the same result for each claimed delivery. */
export const recordAll = (
  ctx: Context,
  claimed: readonly ClaimedDelivery[],
  result: DeliveryResult,
) =>
  recordAttempts(
    ctx,
    claimed.map((delivery) => ({ delivery, result })),
  )

/** Makes a result of an attempt. `change` replaces fields. */
export const resultOf = (change: Partial<DeliveryResult>): DeliveryResult => ({
  startedAt: new Date(),
  durationMs: 5,
  statusCode: 200,
  errorKind: null,
  responseBody: 'ok',
  retryAfterMs: null,
  ...change,
})

export const failureOf = (statusCode: number, retryAfterMs: number | null = null) =>
  resultOf({ statusCode, errorKind: 'http', retryAfterMs })

export const idsOf = (deliveries: readonly ClaimedDelivery[]): string[] =>
  deliveries.map(({ id }) => id).sort()
