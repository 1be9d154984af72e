import type postgres from 'postgres'
import { ConnectionError } from './errors.ts'
import type { Slot, Slots } from './slots.ts'
import type { Executor, Hold } from './statement.ts'

/** The error code of each further statement in a transaction in which a statement has failed. */
const IN_FAILED_TRANSACTION = '25P02'

/** Executes the statements of one transaction, one after the other. */
type TransactionExecutor = Executor & {
  /** Refuses further statements, and waits for the statements in flight. */
  close(): Promise<void>
  /** The error of the first failed statement, even if `work` caught the error. */
  failure(): { error: unknown } | undefined
}

/**
 * Runs BEGIN (with `mode`, which may have more statements), then `work`, then COMMIT on one
 * connection. Rolls back if `work` or a statement fails. If the connection breaks, the transaction
 * fails: no statement moves to another connection. If COMMIT fails, the transaction may be
 * committed or not.
 */
export const transact = async <T>(
  slots: Slots,
  mode: string,
  work: (executor: Executor) => T | Promise<T>,
): Promise<T> => {
  const slot = await slots.take()
  const executor = createExecutor(slots, slot)
  try {
    await slots.ask(slot, (sql) => sql.unsafe(`begin ${mode}`))
    const result = await workOrRollBack(slots, slot, executor, work)
    const { command } = await slots.ask(slot, (sql) => sql.unsafe('commit'))
    // In a failed transaction, COMMIT rolls back without an error and answers ROLLBACK.
    if (command !== 'COMMIT') throw new Error('The transaction had failed and was rolled back.')
    return result
  } finally {
    slots.give(slot)
  }
}

const workOrRollBack = async <T>(
  slots: Slots,
  slot: Slot,
  executor: TransactionExecutor,
  work: (executor: Executor) => T | Promise<T>,
): Promise<T> => {
  try {
    const result = await work(executor)
    await executor.close()
    const failed = executor.failure()
    if (failed) throw failed.error
    return result
  } catch (error) {
    await executor.close()
    await slots
      .ask(slot, (sql) => sql.unsafe('rollback'))
      // If ROLLBACK fails too, closing the connection ends the transaction.
      .catch(() => slots.discard(slot))
    throw codeOf(error) === IN_FAILED_TRANSACTION ? (executor.failure()?.error ?? error) : error
  }
}

const createExecutor = (slots: Slots, slot: Slot): TransactionExecutor => {
  let last: Promise<void> = Promise.resolve()
  let over = false
  let failure: { error: unknown } | undefined

  /** Waits for earlier statements. Later statements wait until the caller calls `done`. */
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
