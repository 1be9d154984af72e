import type { ClaimedDelivery } from '../../src/domain/delivery/index.ts'

/** Moved attempts may exceed the degraded pool by this factor before no attempt is started. */
const MAX_OVERFLOW = 6
/** Each claim sends all marks as a parameter, so the oldest mark above this number is dropped. */
const MAX_SLOW = 1_000

/**
 * A process's slots for in-flight attempts, in two pools, so that slow endpoints do not occupy the
 * slots of healthy ones:
 *
 * - An attempt that takes longer than `slowMs` marks its endpoint as slow and moves to the degraded
 *   pool, even if that is full. So a healthy slot is free again after `slowMs` at the latest.
 * - The mark ends when an attempt at the endpoint ends in time while none is late.
 */
export const createDeliverySlots = ({
  concurrency,
  slowMs,
  onFree,
}: {
  /** Healthy slots; there are half as many degraded ones. */
  concurrency: number
  slowMs: number
  /** Called when an attempt has moved to the degraded pool. */
  onFree(): void
}) => {
  const degradedSlots = Math.max(1, Math.floor(concurrency / 2))
  const mostInFlight = concurrency + degradedSlots * MAX_OVERFLOW
  const held = { healthy: 0, degraded: 0 }
  const slow = new Set<string>()
  /** Attempts that are late, by endpoint. */
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
    /** Free slots: for endpoints that answer in time, and for endpoints that fail or are slow. */
    free() {
      const left = Math.max(0, mostInFlight - held.healthy - held.degraded)
      return {
        healthy: Math.min(left, concurrency - held.healthy),
        degraded: Math.min(left, Math.max(0, degradedSlots - held.degraded)),
      }
    },
    /** Endpoints marked as slow. */
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
        /** The request has ended. The time for recording the result does not count. */
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
