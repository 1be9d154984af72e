import type { Context } from '../../src/domain/context.ts'
import { relayEvents } from '../../src/outbox/relay.ts'
import { createLoop, type Job } from '../loop.ts'

/** Events in one transaction. */
/** Small enough that what is relayed first is on its way while the rest is. */
const BATCH = 100

/** Turns events into deliveries, as soon as they are committed. */
export const createRelayEventsJob = (ctx: Context, sweepMs = 1_000): Job & { wake(): void } => {
  const pass = async (signal: AbortSignal): Promise<void> => {
    // Ends with the first batch that is not full: what comes later brings its own wake-up.
    while (!signal.aborted) {
      if ((await relayEvents(ctx, { limit: BATCH })) < BATCH) return
    }
  }
  const loop = createLoop({ name: 'relay-events', run: pass, sweepMs, log: ctx.log })
  return {
    name: 'relay-events',
    run: () => pass(new AbortController().signal),
    start: () => loop.start(),
    stop: () => loop.stop(),
    wake: () => loop.wake(),
  }
}
