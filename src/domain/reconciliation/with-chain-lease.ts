import { openConnection } from '../../db/client.ts'
import type { Context } from '../context.ts'

/**
 * Runs `work` as the only comparison of a chain, by an advisory lock that ends with its connection:
 * nobody has to clean up after a process that was killed. Null: another one is at work.
 */
export const withChainLease = async <T>(
  ctx: Context,
  chainId: number,
  work: () => Promise<T>,
): Promise<{ result: T } | null> => {
  const connection = openConnection(ctx.pool)
  const key = `reconciliation of chain ${chainId}`
  try {
    const [row] = await connection<{ held: boolean }[]>`
      select pg_try_advisory_lock(hashtextextended(${key}, 0)) as held`
    return row?.held ? { result: await work() } : null
  } finally {
    await connection.end({ timeout: 1 })
  }
}
