import { settleBatch } from '../../src/domain/blocks/index.ts'
import { crashPoint } from '../crash-points.ts'
import type { BlockSource } from './read-ahead.ts'

/** Settles all final donations and deposits. Each batch has its own database transaction. */
export const settleFinal = async (
  { ctx, chain }: Pick<BlockSource, 'ctx' | 'chain'>,
  signal: AbortSignal,
  onBatch: () => Promise<void> = async () => {},
): Promise<void> => {
  while (!signal.aborted) {
    const start = performance.now()
    // crash point S1: donations are settled, the database transaction is not committed.
    const settled = await settleBatch(ctx, chain.id, () => crashPoint('S1'))
    if (settled === 0) return
    const seconds = (performance.now() - start) / 1_000
    ctx.metrics.observe('fundproof_settle_batch_seconds', { chain: chain.id }, seconds)
    ctx.log.info({ settled }, 'donations settled')
    await onBatch()
    // crash point S2: a batch is committed, other jobs are not woken.
    crashPoint('S2')
  }
}
