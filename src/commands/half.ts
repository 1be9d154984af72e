import { type Base, configuredPlaces, openBase } from './base.ts'
import { runUntilStopped } from './shutdown.ts'

/** Runs the API or the worker until a signal comes. `start` returns how to stop it. */
export const runHalf = (
  half: 'api' | 'worker',
  start: (base: Base) => Promise<() => Promise<void>>,
): Promise<void> =>
  runUntilStopped(half, async ({ config }) => {
    const base = await openBase(config, configuredPlaces(config), half)
    try {
      const stop = await start(base)
      return () => stop().then(base.stop)
    } catch (error) {
      await base.stop()
      throw error
    }
  })
