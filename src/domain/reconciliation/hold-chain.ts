import { openConnection } from '../../db/client.ts'
import type { Context } from '../context.ts'

const LEAST_CONNECTIONS = 3

/**
 * Runs `work` as the only comparison of a chain, by an advisory lock that ends with its connection:
 * nobody has to clean up after a process that was killed. Null: another one is at work.
 */
export const holdChain = async <T>(
  ctx: Context,
  chainId: number,
  work: () => Promise<T>,
): Promise<{ result: T } | null> => {
  // With so few connections the work would wait for the one that holds the lock. What two
  // comparisons write they write once all the same: each block of a run moves the run.
  if (ctx.pool.options.max < LEAST_CONNECTIONS) return { result: await work() }
  const connection = openConnection(ctx.pool)
  const key = `reconciliation of chain ${chainId}`
  try {
    const [row] = await connection<{ held: boolean }[]>`
      select pg_try_advisory_lock(hashtextextended(${key}, 0)) as held`
    if (!row?.held) return null
    try {
      return { result: await work() }
    } finally {
      await connection`select pg_advisory_unlock(hashtextextended(${key}, 0))`.catch(() => {})
    }
  } finally {
    connection.release()
  }
}
