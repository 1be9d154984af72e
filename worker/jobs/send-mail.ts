import type { Context } from '../../src/db/context.ts'
import {
  type ClaimedMail,
  claimMail,
  type MailOutcome,
  recordMail,
} from '../../src/domain/people/index.ts'
import { messageOf } from '../../src/kernel/errors.ts'
import { MailRefusedError, type MailTransport } from '../../src/mail/index.ts'
import { crashPoint } from '../crash-points.ts'
import { createLoop, type Loop } from '../loop.ts'

const BATCH = 10
/** The lease of claimed mails, which is longer than a batch can take. */
const LEASE_MS = 300_000

/** Sends each due mail at least once. Without a mail server, prints the mails. */
export const createSendMailJob = (ctx: Context, transport: MailTransport): Loop => {
  // Prometheus finds no increase in the first value of a series, so the series begin with 0.
  for (const outcome of ['sent', 'failed', 'refused'] as const)
    ctx.metrics.count('fundproof_mail_attempts_total', { outcome }, 0)

  const record = async (mail: ClaimedMail, outcome: MailOutcome, reason?: string) => {
    ctx.metrics.count('fundproof_mail_attempts_total', { outcome })
    await recordMail(ctx, mail, outcome, reason)
  }

  const sendOne = async (mail: ClaimedMail): Promise<void> => {
    const log = ctx.log.child({ mailId: mail.id, requestId: mail.requestId })
    try {
      await transport.send(mail)
    } catch (error) {
      const outcome = error instanceof MailRefusedError ? 'refused' : 'failed'
      log.warn({ attempt: mail.attempt, reason: messageOf(error) }, `mail ${outcome}`)
      await record(mail, outcome, messageOf(error))
      return
    }
    // crash point M2: a mail is sent, not recorded. The next attempt has the same Message-ID.
    crashPoint('M2')
    await record(mail, transport.kind === 'smtp' ? 'sent' : 'printed')
    log.info('mail sent')
  }

  const pass = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      const batch = await claimMail(ctx, { limit: BATCH, leaseMs: LEASE_MS })
      // crash point M1: mails are claimed, not sent. They are claimed again after their leases.
      if (batch.length > 0) crashPoint('M1')
      await Promise.all(batch.map(sendOne))
      if (batch.length < BATCH) return
    }
  }

  const loop = createLoop({ name: 'send-mail', run: pass, sweepMs: 5_000, log: ctx.log })
  return {
    ...loop,
    async stop() {
      await loop.stop()
      transport.close()
    },
  }
}
