import type { Context } from '../../src/domain/context.ts'
import { takeBackHandovers } from '../../src/domain/webhook/index.ts'
import { messageOf } from '../../src/kernel/errors.ts'
import { relayEvents } from '../../src/outbox/relay.ts'
import type { HandoverRoom } from '../handovers.ts'
import { createLoop, type Job } from '../loop.ts'

export type RelayOptions = {
  sweepMs?: number
  /** Where deliveries go that can be made at once; without it all of them become rows that are due. */
  handovers?: HandoverRoom
}

/** Events in one transaction: few enough that the first are on their way while the rest is relayed. */
const BATCH = 100
/** How long they wait for others to be handed over with, while what was handed over before is made. */
const GATHER_MS = 50
/** How long events wait for room when nobody makes any; then their deliveries become rows. */
const MOST_PATIENCE_MS = 500
/** How often it is looked whether a worker is gone that held some. */
const TAKE_BACK_EACH_MS = 1_000

/** Turns events into deliveries, as soon as they are committed. */
export const createRelayEventsJob = (
  ctx: Context,
  { sweepMs = 1_000, handovers }: RelayOptions = {},
): Job & { wake(): void } => {
  let takeBackAt = 0
  let roomAt = 0
  /** Deliveries of an event, as far as the last batch tells. */
  let perEvent = 1

  const takeBack = async (): Promise<void> => {
    if (performance.now() < takeBackAt) return
    takeBackAt = performance.now() + Math.min(sweepMs, TAKE_BACK_EACH_MS)
    try {
      await takeBackHandovers(ctx)
    } catch (error) {
      // What is newer does not wait for it.
      ctx.log.error({ reason: messageOf(error) }, 'handovers could not be taken back')
    }
  }

  let timer: NodeJS.Timeout | undefined
  const comeBack = (afterMs: number): void => {
    clearTimeout(timer)
    timer = setTimeout(() => loop.wake(), afterMs).unref()
  }

  /** Relays what there is room for. Returns whether there may be more. */
  const relay = async (taker: HandoverRoom | undefined): Promise<boolean> => {
    const room = taker?.room() ?? 0
    const now = performance.now()
    const patienceMs = roomAt - now + (room < perEvent ? MOST_PATIENCE_MS : GATHER_MS)
    if (taker && room < taker.most / 2 && patienceMs > 0) {
      taker.whenRoom(() => loop.wake())
      comeBack(patienceMs)
      return false
    }
    const taking = taker && room >= perEvent ? taker : undefined
    const limit = taking ? Math.min(BATCH, Math.floor(room / perEvent)) : BATCH
    let handed = 0
    const relayed = await relayEvents(ctx, {
      limit,
      ...(taking && {
        taker: {
          ...taking,
          take(handover) {
            handed = handover.deliveries.length
            taking.take(handover)
          },
        },
      }),
    })
    if (handed > 0) roomAt = now
    if (relayed > 0 && taking) perEvent = Math.max(1, Math.ceil(handed / relayed))
    return relayed === limit
  }

  const pass = async (signal: AbortSignal): Promise<void> => {
    await takeBack()
    // Ends with the first batch that is not full: what comes later brings its own wake-up.
    while (!signal.aborted && (await relay(handovers)));
  }
  const loop = createLoop({ name: 'relay-events', run: pass, sweepMs, log: ctx.log })
  return {
    name: 'relay-events',
    run: () => pass(new AbortController().signal),
    start: () => loop.start(),
    async stop() {
      clearTimeout(timer)
      await loop.stop()
    },
    wake: () => loop.wake(),
  }
}
