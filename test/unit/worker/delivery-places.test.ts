import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createDeliveryPlaces } from '../../../worker/delivery/places.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const setUp = (concurrency = 8) => {
  const onFree = vi.fn()
  return { onFree, places: createDeliveryPlaces({ concurrency, slowMs: 1_000, onFree }) }
}
const at = (endpointId: string, degraded = false) => ({ endpointId, degraded })

describe('the places of deliveries', () => {
  it('are taken in the room that a delivery was claimed for, until it leaves', () => {
    const { places } = setUp()
    expect(places.free()).toEqual({ healthy: 8, degraded: 4 })
    const one = places.take(at('a'))
    const two = places.take(at('b', true))
    expect(places.free()).toEqual({ healthy: 7, degraded: 3 })
    one.answered()
    one.leave()
    two.answered()
    two.leave()
    expect(places.free()).toEqual({ healthy: 8, degraded: 4 })
    expect(places.slow()).toEqual([])
  })

  it('are free again after a second, whoever keeps them waiting', () => {
    const { places, onFree } = setUp()
    for (let i = 0; i < 8; i++) places.take(at(`endpoint ${i}`))
    expect(places.free().healthy).toBe(0)
    vi.advanceTimersByTime(1_000)
    expect(places.free()).toEqual({ healthy: 8, degraded: 0 })
    expect(onFree).toHaveBeenCalledTimes(8)
    expect(places.slow()).toHaveLength(8)
  })

  it('have an end, for endpoints that are slow for the first time too', () => {
    const { places } = setUp()
    for (let round = 0; round < 4; round++) {
      const { healthy } = places.free()
      for (let i = 0; i < healthy; i++) places.take(at(`${round} ${i}`))
      vi.advanceTimersByTime(1_000)
    }
    expect(places.free()).toEqual({ healthy: 0, degraded: 0 })
  })

  it('count an endpoint as slow until it answers in time while nothing of it is late', () => {
    const { places } = setUp()
    const late = places.take(at('a'))
    vi.advanceTimersByTime(1_000)
    expect(places.slow()).toEqual(['a'])
    const healthy = places.take(at('a', true))
    healthy.answered()
    healthy.leave()
    expect(places.slow()).toEqual(['a'])
    late.answered()
    late.leave()
    expect(places.slow()).toEqual(['a'])
    const next = places.take(at('a', true))
    next.answered()
    expect(places.slow()).toEqual([])
    next.leave()
    expect(places.free()).toEqual({ healthy: 8, degraded: 4 })
  })

  it('do not blame an endpoint for the time that its result takes to be stored', () => {
    const { places, onFree } = setUp()
    const one = places.take(at('a'))
    one.answered()
    vi.advanceTimersByTime(60_000)
    expect(places.slow()).toEqual([])
    expect(places.free().healthy).toBe(7)
    expect(onFree).not.toHaveBeenCalled()
    one.leave()
  })

  it('remember a thousand slow endpoints at most', () => {
    const { places } = setUp(4_000)
    for (let i = 0; i < 1_500; i++) places.take(at(`endpoint ${i}`))
    vi.advanceTimersByTime(1_000)
    expect(places.slow()).toHaveLength(1_000)
    expect(places.slow()).toContain('endpoint 1499')
  })
})
