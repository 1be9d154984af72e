import { runHalf } from '../src/commands/half.ts'
import { armCrashPoint } from './crash-points.ts'
import { createWorker } from './create-worker.ts'

/** `npm run worker`: syncs chains and delivers webhooks. Several workers may share one database. */
await runHalf('worker', async (base) => {
  armCrashPoint(base.config.crashAt)
  const worker = createWorker(base)
  await base.queue.start()
  worker.start()
  base.log.info({ chains: base.places.chains.map((chain) => chain.id) }, 'working')
  return worker.stop
})
