import { hostname } from 'node:os'
import { ChainError } from '../../src/chain/index.ts'
import { noteProblem, noteWrongSettings, releaseLeases } from '../../src/domain/blocks/index.ts'
import { messageOf } from '../../src/kernel/errors.ts'
import { hasPassed } from '../../src/kernel/ports/clock.ts'
import { type ChainSync, syncChain } from '../chain/sync-chain.ts'
import { createLoop, type Job } from '../loop.ts'

/** The pause between checks of a node's chain id, because the URL may lead to another chain. */
const CHAIN_ID_EVERY_MS = 60_000

/** Syncs one chain: reads new blocks, rolls back reorgs, and settles final donations. */
export const createSyncChainJob = (sync: ChainSync): Job => {
  const { ctx, chain, client } = sync
  let checkedAt = 0

  const pass = async (signal: AbortSignal): Promise<void> => {
    try {
      const now = ctx.clock.now().getTime()
      if (hasPassed(now, checkedAt, CHAIN_ID_EVERY_MS)) {
        await client.assertChainId()
        // Keeps the metrics of the nodes true in a worker without the lease.
        await client.heads()
        checkedAt = now
      }
      if ((await syncChain(sync, signal)) === 'behind') loop.wake()
    } catch (error) {
      if (signal.aborted) throw error
      checkedAt = 0
      await storeProblem(sync, error)
      throw error
    }
  }

  const loop = createLoop({
    name: `sync-chain ${chain.id}`,
    run: pass,
    sweepMs: chain.pollIntervalMs,
    log: ctx.log,
    maxBackoffMs: Math.max(5_000, chain.pollIntervalMs),
  })
  return {
    ...loop,
    async stop() {
      await loop.stop()
      await releaseLeases(ctx, sync.owner).catch(() => {})
    },
  }
}

/**
 * Stores why a pass failed, for `/readyz`. Names this worker if its settings are wrong, because the
 * settings of the other workers may be right. Logs a failure to store it, and never throws.
 */
export const storeProblem = async (
  { ctx, chain }: Pick<ChainSync, 'ctx' | 'chain'>,
  error: unknown,
  { isOfSettings = false } = {},
): Promise<void> => {
  const problem = error instanceof ChainError ? `${error.code}: ${error.message}` : messageOf(error)
  const own = `${problem} (worker on ${hostname()}, pid ${process.pid})`
  const stored = isOfSettings
    ? noteWrongSettings(ctx, chain.id, own)
    : noteProblem(ctx, chain.id, problem)
  await stored.catch((cause: unknown) =>
    ctx.log.warn({ reason: messageOf(cause) }, 'the problem could not be stored'),
  )
}
