import { expect, test } from 'vitest'
import { createAccessTokens } from '../../../src/auth/access-tokens.ts'
import { loadSigningKeys } from '../../../src/domain/account/index.ts'
import { call } from '../../support/api-user.ts'
import { startHalf } from '../../support/halves.ts'
import { waitFor } from '../../support/wait-for.ts'
import { createUser, createWorld, type World } from '../../support/world.ts'

const LIMIT = 600
/** The seconds of a window that the requests of one test need. */
const ENOUGH_S = 40
const PARALLEL = 20

const startTwo = async () => {
  const world = await createWorld()
  const options = {
    databaseUrl: world.url,
    rpcUrl: 'http://127.0.0.1:1',
    env: { RATE_LIMIT_USER: String(LIMIT), LOG_LEVEL: 'info' },
  }
  const [one, two] = await Promise.all([startHalf('api', options), startHalf('api', options)])
  return { world, ports: [one.port, two.port] as const }
}

const ask = async (port: number, token: string) => {
  const { status, headers } = await call(port, 'GET', '/api/auth/me', { token })
  const [, left, seconds] = /r=(\d+);t=(\d+)/.exec(headers.get('ratelimit') ?? '') ?? []
  return { status, left: Number(left), seconds: Number(seconds) }
}

/** Creates users until one has enough time left in the window. Each user has another window. */
const freshUser = async (world: World, port: number) => {
  const tokens = createAccessTokens({
    issuer: 'http://localhost:0',
    audience: 'sandbox',
    clock: world.ctx.clock,
    loadKeys: () => loadSigningKeys(world.ctx),
  })
  return waitFor(
    'a window with time left',
    async () => {
      const { userId, roles } = await createUser(world.ctx)
      const claims = { userId, sessionId: userId, roles, verified: true }
      const token = await tokens.issue(claims)
      const first = await ask(port, token)
      expect(first.status).toBe(200)
      return { token, seconds: first.seconds }
    },
    ({ seconds }) => seconds > ENOUGH_S,
  )
}

/** Sends many requests at once, to the ports in turn. Counts the accepted requests. */
const hammer = async (token: string, times: number, ports: readonly number[]): Promise<number> => {
  let sent = 0
  let allowed = 0
  const runner = async () => {
    while (sent < times) {
      const port = ports[sent++ % ports.length] ?? 0
      const { status } = await ask(port, token)
      if (status === 200) allowed++
      else expect(status).toBe(429)
    }
  }
  await Promise.all(Array.from({ length: PARALLEL }, runner))
  return allowed
}

test('two processes together refuse a user beyond the limit, soon after it is used up', async () => {
  const { world, ports } = await startTwo()
  const [one, two] = ports
  const patterns: [string, (token: string) => Promise<number>][] = [
    ['all on one', (token) => hammer(token, 700, [one])],
    ['alternating', (token) => hammer(token, 700, ports)],
    [
      'moving over',
      async (token) => (await hammer(token, 250, [one])) + (await hammer(token, 450, [two])),
    ],
  ]
  for (const [name, run] of patterns) {
    const { token } = await freshUser(world, one)
    // The request in `freshUser` counts too.
    const allowed = 1 + (await run(token))
    if (name === 'all on one') expect(allowed).toBe(LIMIT)
    expect([name, allowed >= LIMIT]).toEqual([name, true])
    await waitFor(
      `${name}: both processes to refuse`,
      () => Promise.all(ports.map((port) => ask(port, token))),
      (answers) => answers.every(({ status }) => status === 429),
    )
    expect([name, await hammer(token, 40, ports)]).toEqual([name, 0])
  }
})

test('a process says less and less within a window', async () => {
  const { world, ports } = await startTwo()
  const { token } = await freshUser(world, ports[0])
  const lefts: number[] = []
  for (let i = 0; i < 100; i++) {
    const [one] = await Promise.all([ask(ports[0], token), ask(ports[1], token)])
    lefts.push(one.left)
  }
  expect(lefts).toEqual([...lefts].sort((a, b) => b - a))
  expect(lefts.at(-1)).toBeLessThan(LIMIT - 100)
})
