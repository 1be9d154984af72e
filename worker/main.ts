import { configuredPlaces, openBase } from '../src/base.ts'
import { runUntilStopped } from '../src/shutdown.ts'
import { armCrashPoint } from './crash-points.ts'
import { createWorker } from './create-worker.ts'

/** `npm run worker`: syncs chains and delivers webhooks. Several workers may share one database. */
await runUntilStopped('worker', async ({ config }) => {
  armCrashPoint(config.crashAt)
  const base = await openBase(config, configuredPlaces(config), 'worker')
  try {
    const worker = createWorker(base)
    await base.queue.start()
    worker.start()
    base.log.info({ chains: base.places.chains.map((chain) => chain.id) }, 'working')
    return async () => {
      await worker.stop()
      await base.stop()
    }
  } catch (error) {
    await base.stop()
    throw error
  }
})
