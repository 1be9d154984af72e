import { openConnection } from '../../../db/client.ts'
import type { Context } from '../../../db/context.ts'

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
    if (!row?.held) return null
    try {
      return { result: await work() }
    } finally {
      // The server notices the end of a connection late, and refused the next comparison till then.
      await connection`select pg_advisory_unlock(hashtextextended(${key}, 0))`.catch(() => {})
    }
  } finally {
    await connection.end({ timeout: 1 })
  }
}
