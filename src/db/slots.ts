import { setTimeout as delay } from 'node:timers/promises'
import postgres from 'postgres'
import { ConnectionError } from './errors.ts'
import type { Connection } from './statement.ts'

/** A connection of the pool. The pool removes a broken connection. */
export type Slot = {
  readonly sql: Connection
  broken: boolean
  /** When the server must have answered, by the monotonic clock; infinite without a statement. */
  deadline: number
  /** The time of the last use, by the monotonic clock. */
  idleSince: number
  uses: number
}

export type SlotsOptions = {
  /** Makes a client for one connection, and calls `onClose` when the connection has closed. */
  open(onClose: () => void): Connection
  max: number
  /** If the server takes longer for an answer, the connection counts as dead. */
  answerMs: number
  /** The pool closes a connection that was unused for this time. */
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

// A connection plans its statements again after this number of uses. PostgreSQL keeps a plan until
// it has new statistics, so a plan of an empty table would read the whole table when it is large.
const REPLAN_AFTER = 200

/**
 * A pool of connections, each for one statement or transaction at a time. Discards broken
 * connections. The driver's own pool (postgres.js 3.4.9) keeps broken connections, with two faults:
 * - a connection that closed with unsent bytes never reconnects, so all its queries time out;
 * - if a connection breaks in a transaction, the next statements go to a closed connection, which
 *   ends the process, or to a new connection, where they become part of another transaction.
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
      uses: 0,
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
    if (++slot.uses % REPLAN_AFTER === 0) slot.sql.unsafe('discard plans').catch(() => {})
    if (slot.broken) slots.delete(slot)
    const next = over ? undefined : waiting.shift()
    if (next) next.resolve(slot.broken ? add() : slot)
    else if (!slot.broken) idle.push(slot)
    if (over && idle.length === slots.size) emptied()
  }

  // Finds connections to a dead server. The operating system would notice after 15 minutes.
  const watch = setInterval(() => {
    const now = performance.now()
    for (const slot of slots) if (slot.deadline < now) discard(slot)
    // The driver's idle timer is off, because a closing driver accepts statements that then fail.
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
        // Discards now, because the driver may report the close only after the next use.
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

/**
 * Whether the error is an answer of the server, so that the connection is still usable. A server
 * that refuses a write may have become a standby.
 */
const isAnswer = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && error.severity === 'ERROR' && error.code !== READ_ONLY

/** The code read_only_sql_transaction. */
const READ_ONLY = '25006'

const ENDED = 'The connections to the database are closed.'
const BROKEN = 'The connection to the database broke before this statement was sent.'
