import { setTimeout as delay } from 'node:timers/promises'
import postgres from 'postgres'
import type { Connection } from './statement.ts'

/** One connection of a pool, until it breaks. */
export type Slot = {
  readonly sql: Connection
  broken: boolean
  /** When the statement in hand must have been answered, by the monotonic clock; else infinite. */
  deadline: number
  /** Since when nobody has it. */
  idleSince: number
}

export type SlotsOptions = {
  /** A driver that holds one connection, opened with its first query; calls back when that closed. */
  open(onClose: () => void): Connection
  max: number
  /** How long the database may take to answer a statement before its connection counts as dead. */
  answerMs: number
  /** After which a connection that nobody needs is closed. */
  idleMs: number
}

export type Slots = {
  /** A connection that is free now, unless others wait. */
  takeFree(): Slot | undefined
  /** The next connection that is free, in the order of asking. */
  take(): Promise<Slot>
  give(slot: Slot): void
  /** Sends what `work` sends, and gives the connection up when no answer comes from it. */
  ask<T>(slot: Slot, work: (sql: Connection) => PromiseLike<T>): Promise<T>
  /** Never used again; whatever waits for an answer on it is refused. */
  discard(slot: Slot): void
  end(options?: { timeout?: number }): Promise<void>
}

const LOOK_EACH_MS = 1_000

/** The database was not there for a statement. `code` is one of the driver's own. */
export class ConnectionError extends Error {
  readonly code: 'CONNECTION_CLOSED' | 'CONNECTION_ENDED'
  constructor(code: ConnectionError['code'], message: string) {
    super(message)
    this.code = code
  }
}

/**
 * Connections to the database, each used by one statement or transaction at a time and thrown away
 * when it broke. A pool of the driver's own keeps broken ones: postgres.js 3.4.9 cannot connect a
 * slot again that closed with bytes unsent (each query it is given fails after the connect
 * time-out), and sends what is left of a transaction to a slot whose connection is gone, which ends
 * the process or, once that is connected again, writes in somebody else's transaction.
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
    // Refuses what is left, with its `terminate`: a driver without a connection must not send.
    void slot.sql.end({ timeout: 0 })
    const place = idle.indexOf(slot)
    if (place < 0) return
    idle.splice(place, 1)
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

  // A server that vanished without a word: the kernel would take a quarter of an hour to say so.
  const watch = setInterval(() => {
    const now = performance.now()
    for (const slot of slots) if (slot.deadline < now) discard(slot)
    // Not by the driver's own clock: it takes statements while it is closing, and fails them.
    for (const slot of [...idle]) if (slot.idleSince + idleMs < now) discard(slot)
  }, LOOK_EACH_MS).unref()

  const finish = async (timeout?: number): Promise<void> => {
    for (const one of waiting.splice(0)) one.reject(new ConnectionError('CONNECTION_ENDED', ENDED))
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
        // It may say that it is closed only later; until then it would be given to the next one.
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

/** Whether the server refused a statement and goes on, as opposed to the connection's end. */
const isAnswer = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && error.severity === 'ERROR'

const ENDED = 'The connections to the database are closed.'
const BROKEN = 'The connection to the database broke before this statement was sent.'
