import { beforeEach, describe, expect, test } from 'vitest'
import { queueMail } from '../../../src/domain/people/index.ts'
import { createSmtpTransport } from '../../../src/mail/index.ts'
import { createDeliverWebhooksJob } from '../../../worker/delivery/deliver-webhooks.ts'
import { createSendMailJob } from '../../../worker/jobs/send-mail.ts'
import { passDatabaseTime } from '../../support/database-time.ts'
import { endLeases } from '../../support/deliveries.ts'
import { startProgram } from '../../support/program.ts'
import { type SmtpServer, startSmtpServer } from '../mail/support/smtp-server.ts'
import { type Receiver, startReceiver } from './support/receiver.ts'
import { openWorld, sandboxDeliverer, type World } from './support/world.ts'

const SCRIPT = 'test/integration/webhooks/support/crashing-worker.ts'
/** A time after which every lease has ended. */
const LATER_MS = 600_000

let world: World
let receiver: Receiver
let smtp: SmtpServer
beforeEach(async () => {
  world = await openWorld()
  receiver = await startReceiver()
  smtp = await startSmtpServer()
})

const killWorkerAt = async (point: string): Promise<void> => {
  const worker = startProgram(SCRIPT, {}, [world.database.url, point, smtp.url])
  expect(await worker.exited).toBe('SIGKILL')
}

describe('a worker killed in the middle', () => {
  test.each([
    ['W1', 'claimed', 0],
    ['W2', 'claimed', 1],
    ['H1', 'relayed', 0],
    ['W2', 'relayed', 1],
  ])(
    'at %s, %s, loses no webhook: sent %i times before, and again with the same id',
    async (point, way, sent) => {
      const userId = await world.addUser()
      await world.addEndpoint(userId, receiver.url)
      const [eventId] = await world.emitEvents(userId, 1)
      if (way === 'claimed') await world.relayAll()
      await killWorkerAt(point)
      expect(receiver.received).toHaveLength(sent)

      const job = createDeliverWebhooksJob(world.ctx, sandboxDeliverer(world.clock))
      await job.run()
      expect(receiver.received).toHaveLength(sent)
      await endLeases(world.sql)
      // The killed worker has computed the next attempts by the real clock, so the test clock moves
      // forward.
      world.clock.move(60_000)
      await job.run()
      await job.stop()
      expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual(
        Array.from({ length: sent + 1 }, () => eventId),
      )
      expect(await world.sql`select status, attempts from webhook_delivery`).toMatchObject([
        { status: 'delivered', attempts: 1 },
      ])
    },
  )

  test.each([
    ['M1', 0],
    ['M2', 1],
  ])('at %s loses no mail: sent %i times before, and again', async (point, sent) => {
    const values = { code: '493021', minutes: 60 }
    await queueMail(world.ctx, {
      to: 'a@example.com',
      lang: 'en',
      template: 'verify_email',
      values,
    })
    await killWorkerAt(point)
    expect(smtp.messages).toHaveLength(sent)

    const transport = createSmtpTransport({ url: smtp.url, from: 'a@fundproof.example' })
    const job = createSendMailJob(world.ctx, transport)
    await job.run()
    expect(smtp.messages).toHaveLength(sent)
    await passDatabaseTime(world.ctx, LATER_MS)
    await job.run()
    await job.stop()
    expect(smtp.messages).toHaveLength(sent + 1)
    const ids = smtp.messages.map((message) => /^Message-ID: .*$/m.exec(message)?.[0])
    expect(new Set(ids).size).toBe(1)
  })
})
