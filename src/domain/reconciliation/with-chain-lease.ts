import { openConnection } from '../../db/client.ts'
import type { Context } from '../context.ts'

/**
 * Runs `work` while no other process compares the chain. Returns null if another process has the
 * lock. The advisory lock ends with its database connection, so a killed process leaves no lock.
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
