import type { Context } from '../../src/db/context.ts'
import { readProgress } from '../../src/domain/blocks/index.ts'
import { createLoop, type Job } from '../loop.ts'

/** Logs only after two checks in a row, because a restart of a worker takes some time. */
const LOGGED_AT = 2

/**
 * Logs once when a chain makes no progress, and once when it makes progress again. Also detects
 * a worker that hangs and keeps the chain's lease.
 */
export const createWatchProgressJob = (
  ctx: Context,
  chains: Parameters<typeof readProgress>[1],
): Job => {
  /** The number of checks in a row that found a chain stalled, by chain id. */
  const found = new Map<number, number>()

  const pass = async (): Promise<void> => {
    for (const { chainId, idleMs, isStalled, problem } of await readProgress(ctx, chains)) {
      const times = found.get(chainId) ?? 0
      found.set(chainId, isStalled ? times + 1 : 0)
      if (isStalled && times + 1 === LOGGED_AT) {
        const idleSeconds = Math.round((idleMs ?? 0) / 1_000)
        ctx.log.error({ chainId, idleSeconds, problem }, 'no worker makes progress on the chain')
      }
      if (!isStalled && times >= LOGGED_AT) {
        ctx.log.info({ chainId }, 'the chain makes progress again')
      }
    }
  }

  return createLoop({ name: 'watch-progress', run: pass, sweepMs: 15_000, log: ctx.log })
}
