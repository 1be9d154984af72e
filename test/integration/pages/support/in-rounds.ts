import { setTimeout as sleep } from 'node:timers/promises'
import type { Queryable } from '../../../../src/db/client.ts'

/** Statements within this time belong to one round, because none of them waits for another. */
const TOGETHER_MS = 50

/**
 * Wraps a database connection so that statements run in rounds: a statement waits for the answers
 * of the round before. `rounds` gets the number of statements in each round, so its length is the
 * number of times that the caller waits for the database.
 */
export const inRounds = (sql: Queryable, rounds: number[]): Queryable => {
  let before: Promise<unknown> = Promise.resolve()
  let open: { answers: Promise<unknown>[]; sent: Promise<void> } | undefined
  const nextRound = () => {
    const answers: Promise<unknown>[] = []
    const send = async () => {
      await before
      await sleep(TOGETHER_MS)
      rounds.push(answers.length)
      before = Promise.allSettled(answers)
      open = undefined
    }
    return { answers, sent: send() }
  }
  const tag = (...args: Parameters<Queryable>) =>
    new Proxy(sql(...args), {
      get(statement, name) {
        const value = Reflect.get(statement, name, statement)
        if (name !== 'then') return typeof value === 'function' ? value.bind(statement) : value
        return (...handlers: Parameters<Promise<unknown>['then']>) => {
          open ??= nextRound()
          const answer = open.sent.then(() => statement as unknown as Promise<unknown>)
          open.answers.push(answer)
          return answer.then(...handlers)
        }
      },
    })
  return Object.assign(tag, { json: sql.json, unsafe: sql.unsafe }) as unknown as Queryable
}
