import { onTestFinished } from 'vitest'
import { type FaultProxy, openFaultProxy } from './faults/proxy.ts'

export type { Fault, Layer } from './faults/fault.ts'
export type { FaultOptions, FaultProxy } from './faults/proxy.ts'

/**
 * Starts a fault proxy in front of a node, and closes the proxy after the test. Outside of a test,
 * use `openFaultProxy`.
 *
 *     const proxy = await startFaultProxy(chain.url)
 *     proxy.set({ kind: 'rate-limit', retryAfterS: 1 }, { times: 2 })
 *     proxy.heal()
 */
export const startFaultProxy = async (upstream: string, seed?: number): Promise<FaultProxy> => {
  const proxy = await openFaultProxy(upstream, seed)
  onTestFinished(() => proxy.close())
  return proxy
}
