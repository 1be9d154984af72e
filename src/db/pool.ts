import type postgres from 'postgres'
import { createSlots, type SlotsOptions } from './slots.ts'
import { type Connection, type Executor, type Hold, type Part, Statement } from './statement.ts'
import { transact } from './transact.ts'

type Value = postgres.ParameterOrFragment<number> | Part | readonly Part[]

/** Makes statements: ``sql`select ${value}` ``. Each value becomes a parameter or an SQL part. */
export type Queryable = {
  <Rows extends readonly object[] = postgres.Row[]>(
    strings: TemplateStringsArray,
    ...values: readonly Value[]
  ): Statement<Rows>
  /** Quotes the name of a table or column. */
  (name: string): postgres.Helper<string>
  json(value: postgres.JSONValue): postgres.Parameter
  /** Makes a statement from SQL text, without escaping. */
  unsafe<Rows extends readonly object[] = postgres.Row[]>(
    text: string,
    values?: postgres.ParameterOrJSON<number>[],
  ): Statement<Rows>
}

/** The statements of a transaction run on one connection, in the order of the calls. */
export type Transaction = Queryable

export type Database = Queryable & {
  /** Runs `work` in a transaction. Rolls back if `work` fails. `mode` is SQL text after `begin`. */
  begin<T>(work: (sql: Transaction) => T | Promise<T>): Promise<T>
  begin<T>(mode: string, work: (sql: Transaction) => T | Promise<T>): Promise<T>
  /** Refuses new statements and closes the pool. Waits up to `timeout` s for open statements. */
  end(options?: { timeout?: number }): Promise<void>
}

type PoolOptions = SlotsOptions & {
  /** SQL that runs at the start of each transaction. A single statement then is a transaction. */
  inTransaction?: string
}

/** Creates a pool. The comment of `createSlots` explains why the driver's own pool is not used. */
export const createPool = (options: PoolOptions): Database => {
  const { inTransaction } = options
  const slots = createSlots(options)
  // `helper` opens no connection, because it only quotes names and makes parameters.
  const helper = options.open(() => {})

  const anyConnection: Executor = {
    async hold() {
      const slot = await slots.take()
      return { sql: slot.sql, broken: () => slot.broken, done: () => slots.give(slot) }
    },
    async run(build) {
      const slot = slots.takeFree() ?? (await slots.take())
      try {
        return await slots.ask(slot, build)
      } finally {
        slots.give(slot)
      }
    },
  }
  const start = inTransaction === undefined ? '' : `;${inTransaction}`
  const ownTransaction: Executor = {
    run: (build) => transact(slots, start, (executor) => executor.run(build)),
    async hold() {
      const held = Promise.withResolvers<Hold>()
      const over = Promise.withResolvers<void>()
      const transaction = transact(slots, start, async (executor) => {
        const hold = await executor.hold()
        held.resolve({ ...hold, done: over.resolve })
        await over.promise
        hold.done()
      })
      // The reader of an answer in parts has seen the error of its transaction already.
      transaction.catch(held.reject)
      return held.promise
    },
  }
  const begin = <T>(...args: [string, Work<T>] | [Work<T>]): Promise<T> => {
    const [mode, work] = args.length === 2 ? args : ['', args[0]]
    return transact(slots, mode + start, (executor) => work(createQueryable(helper, executor)))
  }
  const single = inTransaction === undefined ? anyConnection : ownTransaction
  return Object.assign(createQueryable(helper, single), { begin, end: slots.end })
}

type Work<T> = (sql: Transaction) => T | Promise<T>

const createQueryable = (helper: Connection, executor: Executor): Queryable => {
  const tag = (first: TemplateStringsArray | string, ...values: unknown[]): unknown => {
    if (typeof first === 'string') return helper(first)
    return new Statement((sql) => build(sql, first, values), executor)
  }
  const unsafe = (text: string, values?: postgres.ParameterOrJSON<number>[]) =>
    new Statement((sql) => sql.unsafe(text, values), executor)
  return Object.assign(tag, { unsafe, json: helper.json }) as unknown as Queryable
}

/**
 * Reads the origin of the query, because the driver (postgres.js 3.4.9) keeps an error for each
 * statement in the code. Until its stack is read, the error keeps the first connection of the
 * statement, with its prepared statements, also after the connection has ended.
 */
const build = (sql: Connection, strings: TemplateStringsArray, values: readonly unknown[]) => {
  const query = sql(strings, ...(bindAll(sql, values) as []))
  void (query as { origin?: string }).origin
  return query
}

const bindAll = (sql: Connection, values: readonly unknown[]): unknown[] =>
  values.map((value) => {
    if (value instanceof Statement) return value.bind(sql)
    if (Array.isArray(value) && value[0] instanceof Statement) return bindAll(sql, value)
    return value
  })
