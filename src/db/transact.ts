import type postgres from 'postgres'
import { ConnectionError, type Slot, type Slots } from './slots.ts'
import type { Course, Hold } from './statement.ts'

/** A failure of a transaction whose first failed statement says more than this. */
const IN_FAILED_TRANSACTION = '25P02'

/** Where the statements of one transaction go, one after the other. */
type TransactionCourse = Course & {
  /** Refuses further statements, and waits for those that were sent. */
  close(): Promise<void>
  /** What went wrong first in a statement, also where the work went on. */
  failure(): { error: unknown } | undefined
}

/**
 * One transaction on one connection: BEGIN with `mode`, what `work` sends, COMMIT; ROLLBACK when
 * `work` or any of its statements failed. When the connection breaks it is over: nothing of it is
 * ever sent on another one. An error of COMMIT itself may leave open whether it was committed.
 */
export const transact = async <T>(
  slots: Slots,
  mode: string,
  work: (course: Course) => T | Promise<T>,
): Promise<T> => {
  const slot = await slots.take()
  const course = createCourse(slots, slot)
  try {
    await slots.ask(slot, (sql) => sql.unsafe(`begin ${mode}`))
    const result = await workOrRollBack(slots, slot, course, work)
    const { command } = await slots.ask(slot, (sql) => sql.unsafe('commit'))
    // What had failed without anybody's notice is answered with ROLLBACK, and no error.
    if (command !== 'COMMIT') throw new Error('The transaction had failed and was rolled back.')
    return result
  } finally {
    slots.give(slot)
  }
}

const workOrRollBack = async <T>(
  slots: Slots,
  slot: Slot,
  course: TransactionCourse,
  work: (course: Course) => T | Promise<T>,
): Promise<T> => {
  try {
    const result = await work(course)
    await course.close()
    const failed = course.failure()
    if (failed) throw failed.error
    return result
  } catch (error) {
    await course.close()
    await slots
      .ask(slot, (sql) => sql.unsafe('rollback'))
      // A connection that does not even roll back ends with its transaction.
      .catch(() => slots.discard(slot))
    throw codeOf(error) === IN_FAILED_TRANSACTION ? (course.failure()?.error ?? error) : error
  }
}

const createCourse = (slots: Slots, slot: Slot): TransactionCourse => {
  let last: Promise<void> = Promise.resolve()
  let over = false
  let failure: { error: unknown } | undefined

  /** Waits for the statements before, and lets the next ones wait for `done`. */
  const hold = async (): Promise<Hold> => {
    if (over) throw new ConnectionError('CONNECTION_CLOSED', OVER)
    const mine = Promise.withResolvers<void>()
    const before = last
    last = mine.promise
    await before
    return { sql: slot.sql, broken: () => slot.broken, done: mine.resolve }
  }

  return {
    hold,
    async run(build) {
      const { done } = await hold()
      try {
        return await slots.ask(slot, build)
      } catch (error) {
        failure ??= { error }
        throw error
      } finally {
        done()
      }
    },
    close() {
      over = true
      return last
    },
    failure: () => failure,
  }
}

const OVER = 'The transaction of this statement is over.'

const codeOf = (error: unknown): unknown => (error as Partial<postgres.PostgresError> | null)?.code
