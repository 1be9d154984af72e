import { ChainError } from '../../src/chain/index.ts'
import { noteProblem, releaseLeases } from '../../src/domain/chain/index.ts'
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

/** Stores why a pass failed, for `/readyz`. Logs a failure to store it, and never throws. */
export const storeProblem = async (
  { ctx, chain }: Pick<ChainSync, 'ctx' | 'chain'>,
  error: unknown,
  store = noteProblem,
): Promise<void> => {
  const problem = error instanceof ChainError ? `${error.code}: ${error.message}` : messageOf(error)
  await store(ctx, chain.id, problem).catch((cause: unknown) =>
    ctx.log.warn({ reason: messageOf(cause) }, 'the problem could not be stored'),
  )
}
