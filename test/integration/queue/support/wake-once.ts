import { createLog } from '../../../../src/kernel/ports/log.ts'
import { createQueue } from '../../../../src/queue/index.ts'

/** A process of its own that sends one wake-up to the database named by its first argument. */
const queue = createQueue({
  databaseUrl: process.argv[2] ?? '',
  log: createLog('silent', 'api'),
  role: 'api',
})
await queue.start()
queue.wake('deliveries')
await queue.stop()
