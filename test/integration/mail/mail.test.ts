import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Context } from '../../../src/db/context.ts'
import { withTransaction } from '../../../src/db/transaction.ts'
import {
  claimMail,
  listPrintedMail,
  pruneMail,
  queueMail,
  recordMail,
} from '../../../src/domain/people/index.ts'
import { newId } from '../../../src/kernel/formats/ids.ts'
import { createSecretBox } from '../../../src/kernel/ports/secrets.ts'
import {
  createPrintedTransport,
  createSmtpTransport,
  type MailTransport,
} from '../../../src/mail/index.ts'
import { createSendMailJob } from '../../../worker/jobs/send-mail.ts'
import { createPruneJob } from '../../../worker/jobs/upkeep.ts'
import { databaseTime, passDatabaseTime } from '../../support/database-time.ts'
import { createTestMetrics } from '../../support/metrics.ts'
import { openWorld, type World } from '../webhooks/support/world.ts'
import { type SmtpServer, startSmtpServer } from './support/smtp-server.ts'

const TO = 'ada@example.com'
const MAIL = {
  to: TO,
  lang: 'de',
  template: 'verify_email',
  values: { code: '493021', minutes: 60 },
} as const
/** A mail without a code, so it does not expire. */
const PLAIN = {
  ...MAIL,
  template: 'endpoint_disabled',
  values: { url: 'https://a.example/', reason: 'gone' },
} as const
const MINUTE_MS = 60_000

let world: World
beforeEach(async () => {
  world = await openWorld()
})

const smtpJob = (server: SmtpServer, ctx: Context = world.ctx) => {
  const transport = createSmtpTransport({
    url: server.url,
    from: 'Fundproof <no-reply@fundproof.example>',
  })
  onTestFinished(() => transport.close())
  return createSendMailJob(ctx, transport)
}

const state = async () => {
  const [row] = await world.sql`
    select attempts, next_attempt_at, sent_at, failed_reason, values_sealed from mail`
  return row
}

describe('mail', () => {
  test('is sent by SMTP in its language, and its content forgotten', async () => {
    const server = await startSmtpServer()
    await queueMail(world.ctx, MAIL)
    expect((await state())?.valuesSealed).not.toContain('493021')
    await smtpJob(server).run()
    expect(server.messages).toHaveLength(1)
    const [message = ''] = server.messages
    expect(message).toMatch(/^To: ada@example\.com\r$/m)
    expect(message).toMatch(/^From: Fundproof <no-reply@fundproof\.example>\r$/m)
    expect(message).toMatch(/^Subject: 493021 ist Ihr Fundproof-Code\r$/m)
    expect(message).toMatch(/^Message-ID: <[0-9a-f-]{36}@fundproof\.example>\r$/m)
    expect(message).toMatch(/^Auto-Submitted: auto-generated\r$/m)
    expect(await state()).toMatchObject({
      sentAt: world.clock.now(),
      nextAttemptAt: null,
      valuesSealed: null,
    })
    await smtpJob(server).run()
    expect(server.messages).toHaveLength(1)
  })

  test('belongs to the transaction that asked for it', async () => {
    const failure = withTransaction(world.ctx, async (ctx) => {
      await queueMail(ctx, MAIL)
      throw new Error('no')
    })
    await expect(failure).rejects.toThrow('no')
    expect(await state()).toBeUndefined()
    expect(world.woken).toEqual([])
    await withTransaction(world.ctx, (ctx) => queueMail(ctx, MAIL))
    expect(world.woken).toEqual(['mail'])
  })

  test('is tried again while the server is away, and then given up', async () => {
    const server = await startSmtpServer()
    const job = smtpJob(server)
    await server.close()
    await queueMail(world.ctx, PLAIN)
    for (const pauseMs of [5_000, 30_000, 120_000, 300_000, 900_000, 3_600_000]) {
      const before = await databaseTime(world)
      await job.run()
      const after = await databaseTime(world)
      const row = await state()
      const due = row?.nextAttemptAt.getTime() - pauseMs
      expect(due).toBeGreaterThanOrEqual(before)
      expect(due).toBeLessThanOrEqual(after)
      await passDatabaseTime(world, -MINUTE_MS)
      await job.run()
      expect((await state())?.attempts).toBe(row?.attempts)
      await passDatabaseTime(world, pauseMs + MINUTE_MS)
    }
    await job.run()
    expect(await state()).toMatchObject({
      attempts: 7,
      nextAttemptAt: null,
      sentAt: null,
      valuesSealed: null,
      failedReason: expect.stringMatching(/./),
    })
  })

  test('arrives when the server comes back', async () => {
    let down = true
    const server = await startSmtpServer(() => (down ? '451 later' : '250 fine'))
    const job = smtpJob(server)
    await queueMail(world.ctx, MAIL)
    await job.run()
    expect(server.messages).toEqual([])
    down = false
    await passDatabaseTime(world, 5_000)
    await job.run()
    expect(server.messages).toHaveLength(1)
  })

  test('is given up at once when the server refuses it', async () => {
    const server = await startSmtpServer(() => '550 no such user')
    await queueMail(world.ctx, MAIL)
    await smtpJob(server).run()
    expect(await state()).toMatchObject({
      attempts: 1,
      nextAttemptAt: null,
      valuesSealed: null,
      failedReason: expect.stringContaining('550'),
    })
  })

  test.each([
    ['sent', '250 fine'],
    ['failed', '451 later'],
    ['refused', '550 no such user'],
  ])('is counted as %s where the server answers %s', async (outcome, reply) => {
    const server = await startSmtpServer(() => reply)
    const metrics = createTestMetrics()
    await queueMail(world.ctx, MAIL)
    await smtpJob(server, { ...world.ctx, metrics }).run()
    for (const each of ['sent', 'failed', 'refused']) {
      const count = metrics.value('fundproof_mail_attempts_total', { outcome: each })
      expect([each, count]).toEqual([each, each === outcome ? 1 : 0])
    }
  })

  test('is not sent once its code is no longer valid', async () => {
    const server = await startSmtpServer()
    await queueMail(world.ctx, MAIL)
    world.clock.move(60 * MINUTE_MS)
    await smtpJob(server).run()
    expect(server.messages).toEqual([])
    expect(await state()).toMatchObject({ failedReason: 'its code has expired' })
  })

  test('is kept if a process without its SECRET tries it first', async () => {
    const server = await startSmtpServer()
    await queueMail(world.ctx, MAIL)
    const secrets = createSecretBox('another secret, which is long enough')
    await smtpJob(server, { ...world.ctx, secrets }).run()
    await passDatabaseTime(world, MINUTE_MS)
    await smtpJob(server).run()
    expect(server.messages).toHaveLength(1)
  })

  test('is sent once while two workers share the work', async () => {
    const server = await startSmtpServer()
    await Promise.all(Array.from({ length: 30 }, () => queueMail(world.ctx, MAIL)))
    await Promise.all([smtpJob(server).run(), smtpJob(server).run()])
    expect(server.messages).toHaveLength(30)
  })

  test('is taken over when a worker dies, whose late outcome is ignored', async () => {
    await queueMail(world.ctx, MAIL)
    const [late] = await claimMail(world.ctx, { limit: 10, leaseMs: MINUTE_MS })
    expect(await claimMail(world.ctx, { limit: 10, leaseMs: MINUTE_MS })).toEqual([])
    await passDatabaseTime(world, MINUTE_MS)
    const [second] = await claimMail(world.ctx, { limit: 10, leaseMs: MINUTE_MS })
    if (!late || !second) throw new Error('nothing was claimed')
    await recordMail(world.ctx, late, 'refused', 'too late')
    expect((await state())?.failedReason).toBeNull()
    await recordMail(world.ctx, second, 'sent')
    expect((await state())?.sentAt).toEqual(world.clock.now())
  })
})

describe('mail, while the clock of a process is 80 hours ahead,', () => {
  const JUMP_MS = 80 * 3_600_000

  test('is queued, claimed and tried again as at any other time', async () => {
    world.clock.move(JUMP_MS)
    await queueMail(world.ctx, PLAIN)
    world.clock.move(-JUMP_MS)
    expect(await claimMail(world.ctx, { limit: 10, leaseMs: MINUTE_MS })).toHaveLength(1)
    await passDatabaseTime(world, MINUTE_MS)
    world.clock.move(JUMP_MS)
    expect(await claimMail(world.ctx, { limit: 10, leaseMs: MINUTE_MS })).toHaveLength(1)
    world.clock.move(-JUMP_MS)
    await passDatabaseTime(world, MINUTE_MS)
    const [claimed] = await claimMail(world.ctx, { limit: 10, leaseMs: MINUTE_MS })
    if (!claimed) throw new Error('nothing was claimed')
    world.clock.move(JUMP_MS)
    await recordMail(world.ctx, claimed, 'failed', 'away')
    world.clock.move(-JUMP_MS)
    await passDatabaseTime(world, 2 * MINUTE_MS)
    expect(await claimMail(world.ctx, { limit: 10, leaseMs: MINUTE_MS })).toHaveLength(1)
  })
})

describe('printed mail', () => {
  const printJob = () => {
    const blocks: string[] = []
    const transport: MailTransport = createPrintedTransport((block) => blocks.push(block))
    return { job: createSendMailJob(world.ctx, transport), blocks }
  }

  test('can be read in the sandbox, before and after it is printed, for an hour', async () => {
    await queueMail(world.ctx, MAIL)
    await queueMail(world.ctx, { ...MAIL, to: 'bob@example.com' })
    const expected = [
      {
        template: 'verify_email',
        subject: '493021 ist Ihr Fundproof-Code',
        text: expect.stringContaining('493021'),
      },
    ]
    expect(await listPrintedMail(world.ctx, { to: TO })).toMatchObject(expected)
    const { job, blocks } = printJob()
    await job.run()
    await job.run()
    expect(blocks).toHaveLength(2)
    const prune = createPruneJob(world.ctx)
    world.clock.move(59 * MINUTE_MS)
    await prune.run()
    expect(await listPrintedMail(world.ctx, { to: 'ADA@example.com' })).toMatchObject(expected)
    world.clock.move(2 * MINUTE_MS)
    await prune.run()
    expect(await listPrintedMail(world.ctx, { to: TO })).toEqual([])
    expect(await state()).toBeUndefined()
  })

  test('is forgotten 30 days after it was sent, the oldest first', async () => {
    const ctx = { ...world.ctx, settings: { ...world.ctx.settings, mailIsPrinted: false } }
    for (const days of [34, 33, 32, 31, 29, 28]) {
      const sentAt = new Date(world.clock.now().getTime() - days * 24 * 60 * MINUTE_MS)
      await world.sql`
        insert into mail (id, to_address, lang, template, sent_at, created_at)
        values (${newId(sentAt.getTime())}, ${TO}, 'de', 'verify_email', ${sentAt}, ${sentAt})`
    }
    expect(await pruneMail(ctx, 3)).toBe(3)
    await createPruneJob(ctx).run()
    expect(await world.sql`select from mail`).toHaveLength(2)
  })

  test('is hidden where mail is really sent', async () => {
    const ctx = { ...world.ctx, settings: { ...world.ctx.settings, mailIsPrinted: false } }
    await expect(listPrintedMail(ctx, { to: TO })).rejects.toMatchObject({ code: 'not_found' })
  })
})
