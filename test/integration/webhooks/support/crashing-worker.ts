import { flushCompileCache } from 'node:module'
import { createDatabase } from '../../../../src/db/client.ts'
import { systemClock } from '../../../../src/kernel/ports/clock.ts'
import { createSmtpTransport } from '../../../../src/mail/index.ts'
import { createDeliverer } from '../../../../src/webhooks/index.ts'
import { armCrashPoint } from '../../../../worker/crash-points.ts'
import { createDeliverWebhooksJob } from '../../../../worker/delivery/deliver-webhooks.ts'
import { createSendMailJob } from '../../../../worker/jobs/send-mail.ts'
import { createContext } from './context.ts'

/**
 * Runs as a worker process that dies at a crash point. Arguments: `<database url> <point> <smtp
 * url>`.
 */
const [databaseUrl = '', point, smtpUrl = ''] = process.argv.slice(2)
armCrashPoint(point)
// A killed process does not write its compile cache, so it is written here.
flushCompileCache()
const ctx = createContext(createDatabase({ url: databaseUrl }), systemClock)
const policy = { requireHttps: false, allowLoopback: true }
createDeliverWebhooksJob(ctx, createDeliverer({ policy, clock: systemClock })).start()
createSendMailJob(ctx, createSmtpTransport({ url: smtpUrl, from: 'a@fundproof.example' })).start()
