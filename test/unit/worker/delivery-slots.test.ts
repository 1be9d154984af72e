import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createDeliverySlots } from '../../../worker/delivery/slots.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const setUp = (concurrency = 8) => {
  const onFree = vi.fn()
  return { onFree, slots: createDeliverySlots({ concurrency, slowMs: 1_000, onFree }) }
}
const at = (endpointId: string, degraded = false) => ({ endpointId, degraded })

describe('the slots of deliveries', () => {
  test('are taken in the pool that a delivery was claimed for, until it is released', () => {
    const { slots } = setUp()
    expect(slots.free()).toEqual({ healthy: 8, degraded: 4 })
    const one = slots.take(at('a'))
    const two = slots.take(at('b', true))
    expect(slots.free()).toEqual({ healthy: 7, degraded: 3 })
    one.answered()
    one.release()
    two.answered()
    two.release()
    expect(slots.free()).toEqual({ healthy: 8, degraded: 4 })
    expect(slots.slow()).toEqual([])
  })

  test('are free again after a second, whichever endpoint is slow', () => {
    const { slots, onFree } = setUp()
    for (let i = 0; i < 8; i++) slots.take(at(`endpoint ${i}`))
    expect(slots.free().healthy).toBe(0)
    vi.advanceTimersByTime(1_000)
    expect(slots.free()).toEqual({ healthy: 8, degraded: 0 })
    expect(onFree).toHaveBeenCalledTimes(8)
    expect(slots.slow()).toHaveLength(8)
  })

  test('have an end, for endpoints that are slow for the first time too', () => {
    const { slots } = setUp()
    for (let round = 0; round < 4; round++) {
      const { healthy } = slots.free()
      for (let i = 0; i < healthy; i++) slots.take(at(`${round} ${i}`))
      vi.advanceTimersByTime(1_000)
    }
    expect(slots.free()).toEqual({ healthy: 0, degraded: 0 })
  })

  test('count an endpoint as slow until it answers in time while nothing of it is late', () => {
    const { slots } = setUp()
    const late = slots.take(at('a'))
    vi.advanceTimersByTime(1_000)
    expect(slots.slow()).toEqual(['a'])
    const prompt = slots.take(at('a', true))
    prompt.answered()
    prompt.release()
    expect(slots.slow()).toEqual(['a'])
    late.answered()
    late.release()
    expect(slots.slow()).toEqual(['a'])
    const next = slots.take(at('a', true))
    next.answered()
    expect(slots.slow()).toEqual([])
    next.release()
    expect(slots.free()).toEqual({ healthy: 8, degraded: 4 })
  })

  test('do not blame an endpoint for the time that its result takes to be stored', () => {
    const { slots, onFree } = setUp()
    const one = slots.take(at('a'))
    one.answered()
    vi.advanceTimersByTime(60_000)
    expect(slots.slow()).toEqual([])
    expect(slots.free().healthy).toBe(7)
    expect(onFree).not.toHaveBeenCalled()
    one.release()
  })

  test('remember a thousand slow endpoints at most', () => {
    const { slots } = setUp(4_000)
    for (let i = 0; i < 1_500; i++) slots.take(at(`endpoint ${i}`))
    vi.advanceTimersByTime(1_000)
    expect(slots.slow()).toHaveLength(1_000)
    expect(slots.slow()).toContain('endpoint 1499')
  })
})
