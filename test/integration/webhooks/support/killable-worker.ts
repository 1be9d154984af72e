import { flushCompileCache } from 'node:module'
import { createDatabase } from '../../../../src/db/client.ts'
import { systemClock } from '../../../../src/kernel/ports/clock.ts'
import { createDeliverer } from '../../../../src/webhooks/index.ts'
import { createDeliverWebhooksJob } from '../../../../worker/delivery/deliver-webhooks.ts'
import { createContext } from './context.ts'

/**
 * Delivers from its first message on until it is killed, with leases short enough for a
 * test: `<database url>`.
 */
const [databaseUrl = ''] = process.argv.slice(2)
const ctx = createContext(createDatabase({ url: databaseUrl, max: 4 }), systemClock)
const policy = { requireHttps: false, allowLoopback: true }
const deliverer = createDeliverer({ policy, clock: systemClock, timeoutMs: 3_000 })
const deliveries = createDeliverWebhooksJob(ctx, deliverer, { leaseMs: 4_000, sweepMs: 20 })
process.once('message', () => deliveries.start())
// What is killed writes no cache by itself: the next one starts in half the time.
flushCompileCache()
process.send?.('ready')
