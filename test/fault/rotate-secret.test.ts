import { expect, onTestFinished, test } from 'vitest'
import { createDatabase, type Queryable } from '../../src/db/client.ts'
import { call } from '../support/api-user.ts'
import { type Half, halfEnvironment, startHalf } from '../support/halves.ts'
import { type Program, startProgram } from '../support/program.ts'
import { startReceiver } from '../support/receiver.ts'
import { waitFor, waitForLock } from '../support/wait-for.ts'
import { createWorld } from '../support/world.ts'

const OLD = 'the value of SECRET before the change'
const NEW = 'the value of SECRET after the change'
/** The settings before, during and after a change. */
const BEFORE = { SECRET: OLD }
const BOTH = { SECRET: NEW, SECRET_PREVIOUS: OLD }
const AFTER = { SECRET: NEW }
/** The URL of a port on which no program listens. */
const NOWHERE = 'http://127.0.0.1:9'

type Settings = Record<string, string>

const optionsOf = (databaseUrl: string, env: Settings) => ({ databaseUrl, rpcUrl: NOWHERE, env })

const admin = (databaseUrl: string, env: Settings, command = 'rotate-secret'): Program => {
  const program = startProgram(
    'src/commands/admin.ts',
    halfEnvironment(optionsOf(databaseUrl, env)),
    [command],
  )
  onTestFinished(() => program.kill('SIGKILL'))
  return program
}

/**
 * Makes the last change of SECRET seem three minutes old, so that tests need not wait for two
 * minutes.
 */
const letMinutesPass = (sql: Queryable) =>
  sql`update signing_key set created_at = created_at - interval '3 minutes'`

const register = (port: number, name: string, key: string) =>
  call(port, 'POST', '/api/auth/register', {
    headers: { 'idempotency-key': key },
    body: {
      ...{ email: `${name}@example.org`, username: name, password: `quiet-river-${name}-42` },
      ...{ firstName: name, lastName: 'Test', lang: 'en' },
    },
  })

const mailedCode = (port: number, email: string) =>
  waitFor(
    `the code for ${email}`,
    async () => {
      const { body } = await call(port, 'GET', `/api/sandbox/mail?to=${encodeURIComponent(email)}`)
      return /\b\d{6}\b/.exec(JSON.stringify((body.mail as { text: string }[])[0]?.text))?.[0] ?? ''
    },
    Boolean,
  )

const verifyAndSignIn = async (port: number, name: string, code: string): Promise<string> => {
  const email = `${name}@example.org`
  const verified = await call(port, 'POST', '/api/auth/request-verification', {
    body: { email, code },
  })
  expect(verified.status).toBe(200)
  const login = await call(port, 'POST', '/api/auth/login', {
    body: { username: email, password: `quiet-river-${name}-42` },
  })
  return (login.body.tokens as { accessToken: string }).accessToken
}

/**
 * Starts one or two APIs and workers, creates a user with an endpoint, and returns functions that
 * act as clients.
 */
const startService = async (count: 1 | 2) => {
  const world = await createWorld()
  const receiver = await startReceiver()
  const start = (half: 'api' | 'worker', env: Settings) =>
    startHalf(half, optionsOf(world.url, env))
  const startAll = (env: Settings) =>
    Promise.all([
      Promise.all(Array.from({ length: count }, () => start('api', env))),
      Promise.all(Array.from({ length: count }, () => start('worker', env))),
    ])
  const [apis, workers] = await startAll(BEFORE)
  const port = (which: number) => apis[which % count]?.port ?? 0

  await register(port(0), 'ada', 'the key of ada')
  const code = await mailedCode(port(0), 'ada@example.org')
  const token = await verifyAndSignIn(port(0), 'ada', code)
  const made = await call(port(0), 'POST', '/api/webhooks', {
    token,
    body: { url: receiver.url, events: ['donation.completed'], headers: { 'x-of-ada': 'yes' } },
  })
  receiver.trust(String((made.body.webhook as { secret: string }).secret))
  let round = 0

  /** A client that uses the two APIs in turn. Each answer must be right. */
  const work = async (): Promise<void> => {
    const name = `bob-${++round}`
    const [one, other] = [port(round), port(round + 1)]
    const registered = await register(one, name, name)
    expect(registered.status).toBe(201)
    expect((await register(other, name, name)).body).toEqual(registered.body)
    const code = await mailedCode(other, `${name}@example.org`)
    const bob = await verifyAndSignIn(other, name, code)
    expect((await call(one, 'GET', '/api/auth/me', { token: bob })).status).toBe(200)
    const sent = await call(other, 'POST', '/api/sandbox/event', {
      token,
      body: { event: 'donation.completed' },
    })
    const { id } = sent.body.event as { id: string }
    await waitFor(
      'the event',
      () => receiver.received.map((event) => event.id),
      (ids) => ids.includes(id),
    )
    expect(receiver.headers.at(-1)).toMatchObject({ 'x-of-ada': 'yes' })
    expect(receiver.refused).toEqual([])
  }
  const restart = async (index: number, env: Settings): Promise<void> => {
    const restartHalf = async (half: 'api' | 'worker', halves: Half[]) => {
      halves[index]?.kill('SIGTERM')
      await halves[index]?.exited
      halves[index] = await start(half, env)
    }
    await Promise.all([restartHalf('api', apis), restartHalf('worker', workers)])
  }
  return {
    ...world,
    port,
    work,
    /** Restarts one API and one worker, and then the other two. */
    restartAll: async (env: Settings) => {
      await restart(0, env)
      await work()
      await work()
      if (count === 2) await restart(1, env)
      await work()
    },
    lines: () => [...apis, ...workers].flatMap(({ lines }) => lines),
  }
}

test('SECRET changes under two APIs and two workers, and no request, mail or webhook fails', async () => {
  const { url, ctx, port, work, restartAll, lines } = await startService(2)
  await restartAll(BOTH)
  // Stored answers and codes from before the change still need the old value.
  const registered = await register(port(0), 'eve', 'the key of eve')
  const code = await mailedCode(port(0), 'eve@example.org')

  const [changed] = await Promise.all([admin(url, BOTH).ended, work()])
  expect(changed).toMatchObject({ code: 0, errors: '' })
  expect(changed.out).toMatch(
    /^\d+ stored texts are now encrypted with SECRET\.\n.* two minutes\.\n$/,
  )
  await work()
  expect((await register(port(1), 'eve', 'the key of eve')).body).toEqual(registered.body)
  await verifyAndSignIn(port(1), 'eve', code)

  const early = await admin(url, BOTH).ended
  expect(early.out).toContain('SECRET_PREVIOUS is still needed')
  await letMinutesPass(ctx.sql)
  const ended = await admin(url, BOTH).ended
  expect(ended).toMatchObject({ code: 0, errors: '' })
  expect(ended.out).toMatch(
    /^SECRET opens all stored texts, and encrypts since 2\S+Z\.\nRemove SECRET_PREVIOUS after 2\d{3}-/,
  )
  await restartAll(AFTER)
  const faults = lines().filter((line) => /"level":"(?:error|warn)"/.test(line))
  // The workers may log only that no test node answers the request for the chain id.
  expect(faults.filter((line) => !line.includes('"chainId"'))).toEqual([])
}, 180_000)

test('rotate-secret that is killed halfway loses nothing, and the next runs finish', async () => {
  const { url, ctx, work, restartAll } = await startService(1)
  await restartAll(BOTH)
  const owner = createDatabase({ url, max: 1 })
  onTestFinished(() => owner.end())
  const killed = await owner.begin(async (sql) => {
    await sql`select from webhook_endpoint for update`
    const running = admin(url, BOTH)
    await waitForLock(ctx.sql)
    running.kill('SIGKILL')
    return running.exited
  })
  expect(killed).toBe('SIGKILL')
  await work()
  await letMinutesPass(ctx.sql)
  for (const script of ['src/commands/server.ts', 'worker/main.ts']) {
    const refused = startProgram(script, halfEnvironment(optionsOf(url, AFTER)))
    onTestFinished(() => refused.kill('SIGKILL'))
    expect(await refused.ended).toMatchObject({
      code: 1,
      errors: expect.stringMatching(
        /^Wrong setting: SECRET is not .* SECRET_PREVIOUS must be .*\n$/,
      ),
    })
  }
  const next = await admin(url, BOTH).ended
  expect(next.out).toMatch(/^[1-9]\d* stored texts are now encrypted with SECRET/)
  expect((await admin(url, BOTH).ended).out).toContain('SECRET opens all stored texts')
  await restartAll(AFTER)
}, 180_000)

test('a process that was left with the old value takes no more work, and says so', async () => {
  const world = await createWorld()
  const api = await startHalf('api', optionsOf(world.url, BEFORE))
  const worker = await startHalf('worker', optionsOf(world.url, BEFORE))
  expect(await admin(world.url, BOTH).ended).toMatchObject({ code: 0 })
  for (const { lines } of [api, worker]) {
    const line = await waitFor(
      'a line in the log',
      () => lines.find((one) => one.includes('accepts no more work')),
      Boolean,
    )
    expect(line).toContain('SECRET is not the SECRET of this database')
  }
  expect((await fetch(`http://127.0.0.1:${api.port}/api/campaigns`)).status).toBe(503)
})

test.each([
  [AFTER, 'SECRET_PREVIOUS must be'],
  [
    { SECRET: NEW, SECRET_PREVIOUS: 'a value that this database never had' },
    'Wrong setting: SECRET',
  ],
])('rotate-secret changes nothing without the right earlier value', async (env, why) => {
  const world = await createWorld()
  await startHalf('api', optionsOf(world.url, BEFORE))
  const before = await world.ctx.sql`select * from signing_key`
  expect(await admin(world.url, env).ended).toMatchObject({
    code: 1,
    errors: expect.stringContaining(why),
  })
  expect(await world.ctx.sql`select * from signing_key`).toEqual(before)
})
