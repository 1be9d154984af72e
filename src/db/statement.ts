import type postgres from 'postgres'
import { ConnectionError } from './errors.ts'

const BROKEN = 'The connection to the database broke between two portions.'

export type Connection = postgres.Sql<{ bigint: number }>

/** A connection that is reserved for the caller, until the caller calls `done`. */
export type Hold = { sql: Connection; broken(): boolean; done(): void }

/** Builds a query of the driver, but does not send the query. */
type Build = (sql: Connection) => postgres.PendingQuery<postgres.Row[]>

/** A statement that another statement can contain. */
export type Part = { bind(sql: Connection): postgres.PendingQuery<postgres.Row[]> }

/** `run` executes a statement. `hold` reserves a connection for an answer that is read in parts. */
export type Executor = {
  run(build: Build): Promise<unknown>
  hold(): Promise<Hold>
}

/**
 * An SQL statement. The first `await` sends the statement on a connection of `executor`. A
 * statement that is a value in another statement becomes a part of the other statement.
 */
export class Statement<Rows extends readonly object[]>
  implements Promise<postgres.RowList<Rows>>, Part
{
  readonly [Symbol.toStringTag] = 'Statement'
  readonly #build: Build
  readonly #executor: Executor
  #answer: Promise<postgres.RowList<Rows>> | undefined

  constructor(build: Build, executor: Executor) {
    this.#build = build
    this.#executor = executor
  }

  /** Makes a query of the driver that another statement can contain. Does not send the query. */
  bind(sql: Connection): postgres.PendingQuery<postgres.Row[]> {
    return this.#build(sql)
  }

  /** Reads the rows in portions of `count`, so that a large answer never fills the memory. */
  async *cursor(count: number): AsyncGenerator<Rows[number][]> {
    const { sql, broken, done } = await this.#executor.hold()
    try {
      yield* this.#build(sql).cursor(count) as AsyncIterable<unknown> as AsyncIterable<
        Rows[number][]
      >
      // If the connection breaks, the driver reports no error, as if the answer was complete.
      if (broken()) throw new ConnectionError('CONNECTION_CLOSED', BROKEN)
    } finally {
      done()
    }
  }

  then<A = postgres.RowList<Rows>, B = never>(
    fulfilled?: ((rows: postgres.RowList<Rows>) => A | PromiseLike<A>) | null,
    rejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#answer ??= this.#executor.run(this.#build) as Promise<postgres.RowList<Rows>>
    return this.#answer.then(fulfilled, rejected)
  }

  catch<B = never>(rejected?: ((reason: unknown) => B | PromiseLike<B>) | null) {
    return this.then(null, rejected)
  }

  finally(settled?: (() => void) | null): Promise<postgres.RowList<Rows>> {
    return this.then().finally(settled)
  }
}
