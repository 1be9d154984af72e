import { createLog } from '../../../../src/kernel/ports/log.ts'
import { createQueue } from '../../../../src/queue/index.ts'

/** Runs as a process. Sends one wake-up to the database whose URL is the first argument. */
const queue = createQueue({
  databaseUrl: process.argv[2] ?? '',
  log: createLog('silent', 'api'),
  role: 'api',
})
await queue.start()
queue.wake('deliveries')
await queue.stop()
