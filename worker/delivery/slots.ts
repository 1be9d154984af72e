import type { ClaimedDelivery } from '../../src/domain/events/index.ts'

/**
 * Limits all running attempts to `concurrency` plus this number times the degraded slots. There can
 * be more slow attempts than degraded slots, because an attempt that becomes slow always moves.
 */
const MAX_OVERFLOW = 6
/**
 * The maximum number of endpoints with the mark `slow`. A further mark removes the oldest mark,
 * because all marks are sent to the database with each query for deliveries.
 */
const MAX_SLOW = 1_000

/**
 * The slots of a process for running attempts. There are two pools, so that slow endpoints do not
 * take the slots of healthy endpoints:
 *
 * - An attempt that takes longer than `slowMs` marks its endpoint as slow and moves to the degraded
 *   pool, even if that pool is full. So a healthy slot is free again after at most `slowMs`.
 * - The mark ends when an attempt at the endpoint ends in time and no slow attempt is left there.
 */
export const createDeliverySlots = ({
  concurrency,
  slowMs,
  onFree,
}: {
  /** The number of healthy slots. There are half as many degraded slots. */
  concurrency: number
  slowMs: number
  /** Called when an attempt has moved to the degraded pool, so that a healthy slot is free. */
  onFree(): void
}) => {
  const degradedSlots = Math.max(1, Math.floor(concurrency / 2))
  const mostInFlight = concurrency + degradedSlots * MAX_OVERFLOW
  const held = { healthy: 0, degraded: 0 }
  const slow = new Set<string>()
  /** The number of running attempts that are slow, by endpoint. */
  const late = new Map<string, number>()

  const mark = (endpointId: string): void => {
    slow.delete(endpointId)
    slow.add(endpointId)
    const oldest = slow.values().next()
    if (slow.size > MAX_SLOW && !oldest.done) slow.delete(oldest.value)
  }

  const addLate = (endpointId: string, by: 1 | -1): void => {
    const count = (late.get(endpointId) ?? 0) + by
    if (count === 0) late.delete(endpointId)
    else late.set(endpointId, count)
  }

  return {
    /** The free slots: `healthy`, and `degraded` for endpoints that fail or are slow. */
    free() {
      const left = Math.max(0, mostInFlight - held.healthy - held.degraded)
      return {
        healthy: Math.min(left, concurrency - held.healthy),
        degraded: Math.min(left, Math.max(0, degradedSlots - held.degraded)),
      }
    },
    /** The ids of the endpoints that are marked as slow. */
    slow: () => [...slow],

    take({ endpointId, degraded }: Pick<ClaimedDelivery, 'endpointId' | 'degraded'>) {
      let pool: keyof typeof held = degraded ? 'degraded' : 'healthy'
      let isLate = false
      held[pool]++
      const timer = setTimeout(() => {
        isLate = true
        mark(endpointId)
        addLate(endpointId, 1)
        if (pool === 'degraded') return
        held.healthy--
        pool = 'degraded'
        held.degraded++
        onFree()
      }, slowMs)
      timer.unref()
      return {
        /** The caller calls `answered` when the attempt ends, before the result is recorded. */
        answered(): void {
          clearTimeout(timer)
          if (isLate) addLate(endpointId, -1)
          else if (!late.has(endpointId)) slow.delete(endpointId)
        },
        release(): void {
          held[pool]--
        },
      }
    },
  }
}
