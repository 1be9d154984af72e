import { setTimeout as delay } from 'node:timers/promises'
import postgres from 'postgres'
import type { Connection } from './statement.ts'

/** A connection of a pool, until it breaks. */
export type Slot = {
  readonly sql: Connection
  broken: boolean
  /** When the current statement's answer is due (monotonic clock); infinite without a statement. */
  deadline: number
  /** Since this time the connection is unused (monotonic clock). */
  idleSince: number
}

export type SlotsOptions = {
  /** Makes a driver with one connection, opened by the first query. At its end, `onClose` runs. */
  open(onClose: () => void): Connection
  max: number
  /** If an answer takes longer than this, the connection counts as dead. */
  answerMs: number
  /** Time until an unused connection is closed. */
  idleMs: number
}

export type Slots = {
  /** A free connection; undefined if all connections are in use. */
  takeFree(): Slot | undefined
  /** Waits for a free connection. Callers get connections in the order of their calls. */
  take(): Promise<Slot>
  give(slot: Slot): void
  /** Runs `work` on the connection. Discards the connection if the server does not answer. */
  ask<T>(slot: Slot, work: (sql: Connection) => PromiseLike<T>): Promise<T>
  /** Never uses the connection again, and rejects its pending statements. */
  discard(slot: Slot): void
  end(options?: { timeout?: number }): Promise<void>
}

const CHECK_EVERY_MS = 1_000

/** A statement found no usable connection. The driver uses the same codes. */
export class ConnectionError extends Error {
  readonly code: 'CONNECTION_CLOSED' | 'CONNECTION_ENDED'
  constructor(code: ConnectionError['code'], message: string) {
    super(message)
    this.code = code
  }
}

/**
 * A pool of connections, each for one statement or transaction at a time. Discards broken
 * connections. The driver's own pool (postgres.js 3.4.9) keeps broken connections, with two faults:
 * - if a connection closes with unsent bytes, it never reconnects: all its queries time out;
 * - the rest of a transaction goes to a closed connection, which ends the process, or to a new
 *   connection, where the statements become part of another transaction.
 */
export const createSlots = ({ open, max, answerMs, idleMs }: SlotsOptions): Slots => {
  const slots = new Set<Slot>()
  const idle: Slot[] = []
  const waiting: PromiseWithResolvers<Slot>[] = []
  let over: Promise<void> | undefined
  let emptied = (): void => {}

  const add = (): Slot => {
    const slot: Slot = {
      sql: open(() => discard(slot)),
      broken: false,
      deadline: Number.POSITIVE_INFINITY,
      idleSince: 0,
    }
    slots.add(slot)
    return slot
  }

  const discard = (slot: Slot): void => {
    if (slot.broken) return
    slot.broken = true
    // `timeout: 0` rejects the pending statements at once, so that the driver sends nothing more.
    void slot.sql.end({ timeout: 0 })
    const index = idle.indexOf(slot)
    if (index < 0) return
    idle.splice(index, 1)
    slots.delete(slot)
  }

  const takeFree = (): Slot | undefined => {
    if (over) throw new ConnectionError('CONNECTION_ENDED', ENDED)
    return idle.pop() ?? (slots.size < max ? add() : undefined)
  }

  const give = (slot: Slot): void => {
    slot.idleSince = performance.now()
    if (slot.broken) slots.delete(slot)
    const next = over ? undefined : waiting.shift()
    if (next) next.resolve(slot.broken ? add() : slot)
    else if (!slot.broken) idle.push(slot)
    if (over && idle.length === slots.size) emptied()
  }

  // Finds connections to a server that vanished. The kernel would notice after 15 minutes.
  const watch = setInterval(() => {
    const now = performance.now()
    for (const slot of slots) if (slot.deadline < now) discard(slot)
    // Replaces the driver's idle timer: a driver that is closing accepts statements that then fail.
    for (const slot of [...idle]) if (slot.idleSince + idleMs < now) discard(slot)
  }, CHECK_EVERY_MS).unref()

  const finish = async (timeout?: number): Promise<void> => {
    for (const waiter of waiting.splice(0))
      waiter.reject(new ConnectionError('CONNECTION_ENDED', ENDED))
    const done = new AbortController()
    const free = new Promise<void>((resolve) => {
      emptied = resolve
      if (idle.length === slots.size) resolve()
    })
    const late =
      timeout === undefined
        ? []
        : [delay(timeout * 1000, undefined, { signal: done.signal }).catch(() => {})]
    await Promise.race([free, ...late])
    done.abort()
    clearInterval(watch)
    await Promise.all([...slots].map(({ sql }) => sql.end({ timeout: 0 })))
  }

  return {
    takeFree,
    take() {
      const slot = takeFree()
      if (slot) return Promise.resolve(slot)
      const next = Promise.withResolvers<Slot>()
      waiting.push(next)
      return next.promise
    },
    give,
    async ask(slot, work) {
      if (slot.broken) throw new ConnectionError('CONNECTION_CLOSED', BROKEN)
      slot.deadline = performance.now() + answerMs
      try {
        return await work(slot.sql)
      } catch (error) {
        // Discards at once, because `close` may be reported after the connection is used again.
        if (!isAnswer(error)) discard(slot)
        throw error
      } finally {
        slot.deadline = Number.POSITIVE_INFINITY
      }
    },
    discard,
    end(options) {
      over ??= finish(options?.timeout)
      return over
    },
  }
}

/** Whether the error is an answer of the server, so that the connection is still usable. */
const isAnswer = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && error.severity === 'ERROR'

const ENDED = 'The connections to the database are closed.'
const BROKEN = 'The connection to the database broke before this statement was sent.'
