import { flushCompileCache } from 'node:module'
import { createDatabase } from '../../../../src/db/client.ts'
import { systemClock } from '../../../../src/kernel/ports/clock.ts'
import { createDeliverer } from '../../../../src/webhooks/index.ts'
import { createDeliverWebhooksJob } from '../../../../worker/delivery/deliver-webhooks.ts'
import { createContext } from './context.ts'

/**
 * Runs as a worker process. Delivers from its first message on until it is killed, with leases that
 * are short enough for a test. Argument: `<database url>`.
 */
const [databaseUrl = ''] = process.argv.slice(2)
const ctx = createContext(createDatabase({ url: databaseUrl, max: 4 }), systemClock)
const policy = { requireHttps: false, allowLoopback: true }
const deliverer = createDeliverer({ policy, clock: systemClock, timeoutMs: 3_000 })
const deliveries = createDeliverWebhooksJob(ctx, deliverer, { leaseMs: 4_000, sweepMs: 20 })
process.once('message', () => deliveries.start())
// A killed process does not write its compile cache. With the cache, the next process starts in
// half the time.
flushCompileCache()
process.send?.('ready')
