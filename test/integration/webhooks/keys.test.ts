import { createPublicKey, verify } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  createEndpoint,
  deleteEndpoint,
  getEndpoint,
  rotateSecret,
} from '../../../src/domain/events/index.ts'
import { createSecretBox } from '../../../src/kernel/ports/secrets.ts'
import { createDeliverWebhooksJob } from '../../../worker/delivery/deliver-webhooks.ts'
import { createPruneJob } from '../../../worker/jobs/upkeep.ts'
import { storedAttempts } from '../../support/deliveries.ts'
import { type Received, type Receiver, startReceiver } from './support/receiver.ts'
import { openWorld, sandboxDeliverer, type World } from './support/world.ts'

const HOUR_MS = 3_600_000

let world: World
let receiver: Receiver
let userId: string
let ctx: World['ctx']
beforeEach(async () => {
  world = await openWorld()
  receiver = await startReceiver()
  userId = await world.addUser()
  ctx = world.as(userId)
})

/** Makes one event, and returns the request that delivers it. */
const receiveOne = async (): Promise<Received> => {
  receiver.received.length = 0
  await world.happen(userId, 1)
  const job = createDeliverWebhooksJob(world.ctx, sandboxDeliverer(world.clock))
  await job.run()
  await job.stop()
  const [request] = receiver.received
  if (!request) throw new Error('Nothing arrived.')
  return request
}

const signaturesOf = ({ headers }: Received): string[] =>
  String(headers['webhook-signature']).split(' ')

/**
 * Compares with the library's signature. The library's `verify` would compare the time with the
 * real clock.
 */
const accepts = (secret: string | null, { headers, body }: Received): boolean => {
  const id = String(headers['webhook-id'])
  const at = new Date(Number(headers['webhook-timestamp']) * 1_000)
  return String(headers['webhook-signature'])
    .split(' ')
    .includes(new Webhook(secret ?? '').sign(id, at, body))
}

const acceptsKey = (publicKey: string | null, request: Received): boolean => {
  const x = Buffer.from((publicKey ?? '').slice(5), 'base64').toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  const { headers, body } = request
  const content = Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`)
  return signaturesOf(request).some(
    (each) =>
      each.startsWith('v1a,') && verify(null, content, key, Buffer.from(each.slice(4), 'base64')),
  )
}

const storedText = async (): Promise<string> =>
  JSON.stringify(await world.sql`select * from webhook_endpoint`)

describe('the keys of an endpoint', () => {
  test('sign with the old and the new secret for a day after a rotation, then with the new', async () => {
    const { id, secret: first } = await createEndpoint(ctx, { url: receiver.url })
    const { secret: second, previousSecretUntil } = await rotateSecret(ctx, id)
    expect(second).toMatch(/^whsec_/)
    expect(second).not.toBe(first)
    expect(previousSecretUntil).toEqual(new Date(world.clock.now().getTime() + 24 * HOUR_MS))
    const soon = await receiveOne()
    expect(signaturesOf(soon)).toHaveLength(2)
    expect([accepts(first, soon), accepts(second, soon)]).toEqual([true, true])
    // Here the moved clock differs little from the real clock, so the library's limit of five
    // minutes holds.
    for (const secret of [first, second]) {
      const headers = soon.headers as Record<string, string>
      expect(new Webhook(secret ?? '').verify(soon.body, headers)).toEqual(JSON.parse(soon.body))
    }
    world.clock.move(24 * HOUR_MS - 60_000)
    const late = await receiveOne()
    expect([accepts(first, late), accepts(second, late)]).toEqual([true, true])
    world.clock.move(60_000)
    const after = await receiveOne()
    expect([accepts(first, after), accepts(second, after)]).toEqual([false, true])
    expect(signaturesOf(after)).toHaveLength(1)
    expect((await getEndpoint(ctx, id)).previousSecretUntil).toBeNull()
  })

  test('drop the oldest when they are rotated twice within a day', async () => {
    const { id, secret: first } = await createEndpoint(ctx, { url: receiver.url })
    const { secret: second } = await rotateSecret(ctx, id)
    const { secret: third } = await rotateSecret(ctx, id)
    const request = await receiveOne()
    expect(signaturesOf(request)).toHaveLength(2)
    expect([first, second, third].map((secret) => accepts(secret, request))).toEqual([
      false,
      true,
      true,
    ])
  })

  test('are two of all that were made when they are rotated many times at once', async () => {
    const { id } = await createEndpoint(ctx, { url: receiver.url })
    const rotated = await Promise.all(Array.from({ length: 5 }, () => rotateSecret(ctx, id)))
    const request = await receiveOne()
    expect(rotated.filter(({ secret }) => accepts(secret, request))).toHaveLength(2)
  })

  test('may be a pair, whose public half alone is shown, and checks what arrives', async () => {
    const created = await createEndpoint(ctx, { url: receiver.url, signing: 'ed25519' })
    expect(created).toMatchObject({
      signing: 'ed25519',
      secret: null,
      publicKey: expect.stringMatching(/^whpk_/),
    })
    expect((await getEndpoint(ctx, created.id)).publicKey).toBe(created.publicKey)
    const request = await receiveOne()
    expect(signaturesOf(request)).toHaveLength(1)
    expect(acceptsKey(created.publicKey, request)).toBe(true)
  })

  test('of a pair sign both for a day too', async () => {
    const first = await createEndpoint(ctx, { url: receiver.url, signing: 'ed25519' })
    const second = await rotateSecret(ctx, first.id)
    expect(second).toMatchObject({ signing: 'ed25519', secret: null })
    expect(second.publicKey).not.toBe(first.publicKey)
    const acceptedBy = (request: Received) =>
      [first, second].map(({ publicKey }) => acceptsKey(publicKey, request))
    expect(acceptedBy(await receiveOne())).toEqual([true, true])
    world.clock.move(24 * HOUR_MS)
    expect(acceptedBy(await receiveOne())).toEqual([false, true])
  })

  test('are rotated by their owner alone: hidden from others, refused to an admin', async () => {
    const { id, secret } = await createEndpoint(ctx, { url: receiver.url })
    const other = world.as(await world.addUser())
    const admin = world.as(await world.addUser(), ['admin'])
    await expect(rotateSecret(other, id)).rejects.toMatchObject({ code: 'not_found' })
    await expect(rotateSecret(admin, id)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(rotateSecret(ctx, 'no-id')).rejects.toMatchObject({ code: 'not_found' })
    const request = await receiveOne()
    expect(accepts(secret, request)).toBe(true)
    expect(signaturesOf(request)).toHaveLength(1)
  })
})

describe('what is secret of an endpoint', () => {
  test('arrives as it was given, and stands nowhere in the database in clear', async () => {
    const headers = { authorization: 'Bearer t0ken-of-the-receiver', 'x-tenant': 'tenant-4711' }
    const { id, secret: first } = await createEndpoint(ctx, { url: receiver.url, headers })
    const { secret: second } = await rotateSecret(ctx, id)
    const pair = await createEndpoint(ctx, {
      url: 'https://hooks.example.com/',
      events: ['donation.failed'],
      signing: 'ed25519',
    })
    expect((await receiveOne()).headers).toMatchObject({
      ...headers,
      'content-type': 'application/json',
      'webhook-id': expect.any(String),
    })
    const stored = await storedText()
    for (const text of [first, second]) expect(stored).not.toContain(text?.slice(6, 30))
    for (const text of ['t0ken', 'tenant-4711', 'authorization', 'whsk_']) {
      expect(stored).not.toContain(text)
    }
    const [row] = await world.sql`select secret_sealed from webhook_endpoint where id = ${pair.id}`
    const privateKey = world.ctx.secrets.open(row?.secretSealed)
    expect(privateKey).toMatch(/^whsk_/)
    expect(stored).not.toContain(privateKey.slice(5, 40))
  })

  test('holds no other endpoint up where it cannot be read any more, and is replaced by a rotation', async () => {
    const headers = { authorization: 'Bearer t0ken' }
    const { id } = await createEndpoint(ctx, { url: receiver.url, headers })
    const unreadable = createSecretBox('another secret of the deployment, changed').seal('whsec_AA')
    await world.sql`
      update webhook_endpoint
      set secret_sealed = ${unreadable}, headers_sealed = ${unreadable}
      where id = ${id}`
    const other = await createEndpoint(ctx, { url: receiver.url })
    const request = await receiveOne()
    expect(receiver.received).toHaveLength(1)
    expect(accepts(other.secret, request)).toBe(true)
    const attempts = await storedAttempts(world.sql)
    const failed = attempts.filter(({ endpointId }) => endpointId === id)
    expect(failed).toMatchObject([{ errorKind: 'unsigned', statusCode: null }])
    expect((await getEndpoint(ctx, id)).headers).toEqual([])
    const { secret } = await rotateSecret(ctx, id)
    await deleteEndpoint(ctx, other.id)
    expect(accepts(secret, await receiveOne())).toBe(true)
  })

  test('is erased when it signs no more: with a day gone by, and with the endpoint', async () => {
    const headers = { authorization: 'Bearer t0ken' }
    const { id } = await createEndpoint(ctx, { url: receiver.url, headers })
    await rotateSecret(ctx, id)
    const prune = createPruneJob(world.ctx)
    const stored = async () => {
      const [row] = await world.sql`
        select secret_sealed <> '' as key, previous_secret_sealed is not null as previous,
               headers_sealed is not null as headers
        from webhook_endpoint where id = ${id}`
      return { ...row }
    }
    world.clock.move(23 * HOUR_MS)
    await prune.run()
    expect(await stored()).toEqual({ key: true, previous: true, headers: true })
    world.clock.move(HOUR_MS)
    await prune.run()
    expect(await stored()).toEqual({ key: true, previous: false, headers: true })
    await rotateSecret(ctx, id)
    await deleteEndpoint(ctx, id)
    expect(await stored()).toEqual({ key: false, previous: false, headers: false })
  })
})
