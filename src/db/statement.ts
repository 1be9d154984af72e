import type postgres from 'postgres'

/** One connection of the driver. */
export type Connection = postgres.Sql<{ bigint: number }>

/** A connection that nobody else uses until `done` is called, once. */
export type Hold = { sql: Connection; broken(): boolean; done(): void }

/** Makes the driver's query of a statement, without sending it. */
export type Build = (sql: Connection) => postgres.PendingQuery<postgres.Row[]>

/** A statement as a part of another one, whatever it would answer. */
export type Part = { bind(sql: Connection): postgres.PendingQuery<postgres.Row[]> }

/** Where a statement goes: alone, or for as long as its answer is read. */
export type Course = {
  run(build: Build): Promise<unknown>
  hold(): Promise<Hold>
}

/**
 * An SQL statement that is sent when it is awaited, once, on a connection that `course` waits for;
 * or, put into another one, a part of that.
 */
export class Statement<Rows extends readonly object[]>
  implements Promise<postgres.RowList<Rows>>, Part
{
  readonly [Symbol.toStringTag] = 'Statement'
  readonly #build: Build
  readonly #course: Course
  #answer: Promise<postgres.RowList<Rows>> | undefined

  constructor(build: Build, course: Course) {
    this.#build = build
    this.#course = course
  }

  /** The driver's own query, not sent: to be part of another one. */
  bind(sql: Connection): postgres.PendingQuery<postgres.Row[]> {
    return this.#build(sql)
  }

  /** The rows, `count` of them at a time, so that a large answer is never whole in memory. */
  async *cursor(count: number): AsyncGenerator<Rows[number][]> {
    const { sql, broken, done } = await this.#course.hold()
    try {
      yield* this.#build(sql).cursor(count) as AsyncIterable<unknown> as AsyncIterable<
        Rows[number][]
      >
      // The driver ends the rows of a connection that broke as if there were no more.
      if (broken()) throw new Error('The connection to the database broke between two portions.')
    } finally {
      done()
    }
  }

  then<A = postgres.RowList<Rows>, B = never>(
    fulfilled?: ((rows: postgres.RowList<Rows>) => A | PromiseLike<A>) | null,
    rejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#answer ??= this.#course.run(this.#build) as Promise<postgres.RowList<Rows>>
    return this.#answer.then(fulfilled, rejected)
  }

  catch<B = never>(rejected?: ((reason: unknown) => B | PromiseLike<B>) | null) {
    return this.then(null, rejected)
  }

  finally(settled?: (() => void) | null): Promise<postgres.RowList<Rows>> {
    return this.then().finally(settled)
  }
}
