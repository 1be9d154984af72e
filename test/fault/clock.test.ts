import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { timeOfId } from '../../src/kernel/formats/ids.ts'
import { signUp } from '../support/api-user.ts'
import { address } from '../support/chain-facts.ts'
import { type HalfOptions, halfEnvironment, startHalf } from '../support/halves.ts'
import { freePort, scrape } from '../support/metrics-scrape.ts'
import { ALL_LEFT, createPerishable } from '../support/perishable.ts'
import { startProgram } from '../support/program.ts'
import { recordGift } from '../support/recorded-gift.ts'
import { shiftDatabaseClock } from '../support/shifted-clock.ts'
import { hasAnvil, startTestChain } from '../support/test-chain.ts'
import { waitFor } from '../support/wait-for.ts'
import { createTestCampaign, createUser, createWorld } from '../support/world.ts'

const ACCOUNT = address('campaign')
const DAYS_100_MS = 100 * 24 * 3_600_000
/** The URL of a port on which no program listens. */
const NOWHERE = 'http://127.0.0.1:9'
/**
 * The longest lease of the worker in these tests, plus the start of a process on a busy machine.
 */
const SOON_MS = 25_000

/**
 * The variables of a process whose clock is ahead: by `ms` from its start on, by `laterMs` from
 * SIGUSR2 on.
 */
const ahead = (ms: number, laterMs = ms): Record<string, string> => ({
  NODE_OPTIONS: `--import=${join(import.meta.dirname, '../support/clock-ahead.ts')}`,
  CLOCK_AHEAD_MS: String(ms),
  CLOCK_LATER_AHEAD_MS: String(laterMs),
})

const waitForLine = (lines: readonly string[], words: string): Promise<string | undefined> =>
  waitFor(`"${words}" in the log`, () => lines.find((line) => line.includes(words)), Boolean)

test.each(['worker/main.ts', 'src/commands/server.ts'])(
  '%s refuses to start 100 days ahead, names the clock and ends nothing',
  async (script) => {
    const world = await createWorld()
    const { left } = await createPerishable(world)
    const options = { databaseUrl: world.url, rpcUrl: NOWHERE, env: ahead(DAYS_100_MS) }
    const program = startProgram(script, halfEnvironment(options))
    onTestFinished(() => {
      program.kill('SIGKILL')
    })
    const { code, errors } = await program.ended
    expect(code).toBe(1)
    expect(errors).toMatch(
      /^The clock of this machine is 86\d{5} s ahead of the clock of the database\. .* NTP\.$/m,
    )
    expect(await left()).toEqual(ALL_LEFT)
  },
)

test('a worker that is 20 s ahead removes what has expired by the clock of the database', async () => {
  const world = await createWorld()
  const { left } = await createPerishable(world)
  await world.ctx.sql`
    insert into idempotency_key (caller, key, fingerprint, expires_at)
    values ('expired', 'key', '', now() - interval '1 s')`
  const metricsPort = await freePort()
  const env = { ...ahead(20_000), METRICS_PORT: String(metricsPort) }
  await startHalf('worker', { databaseUrl: world.url, rpcUrl: NOWHERE, env })
  await waitFor(
    'the expired answer to be removed',
    () => world.ctx.sql`select from idempotency_key where caller = 'expired'`,
    (rows) => rows.length === 0,
  )
  expect(await left()).toEqual(ALL_LEFT)
  const metrics = await scrape(metricsPort)
  expect(metrics.get('fundproof_clock_offset_seconds')).toBeCloseTo(20, -1)
  expect(metrics.get('fundproof_database_clock_jumped')).toBe(0)
})

test('a worker whose clock goes 100 days ahead while it runs ends nothing, and log and metric say why', async () => {
  const world = await createWorld()
  const { left, failEndpoint } = await createPerishable(world)
  const metricsPort = await freePort()
  const env = { ...ahead(0, DAYS_100_MS), METRICS_PORT: String(metricsPort) }
  const worker = await startHalf('worker', { databaseUrl: world.url, rpcUrl: NOWHERE, env })
  worker.kill('SIGUSR2')
  const line = await waitForLine(worker.lines, 'the clock of this process')
  expect(JSON.parse(line ?? '')).toMatchObject({ level: 'error', half: 'worker' })
  const offset = (await scrape(metricsPort)).get('fundproof_clock_offset_seconds')
  expect(offset).toBeCloseTo(DAYS_100_MS / 1_000, -1)
  await failEndpoint()
  expect(await left()).toEqual(ALL_LEFT)
})

test('an API whose clock goes 100 days ahead while it runs dates rows and ids by the database', async () => {
  const world = await createWorld()
  const options = { databaseUrl: world.url, rpcUrl: NOWHERE, env: ahead(0, DAYS_100_MS) }
  const api = await startHalf('api', options)
  api.kill('SIGUSR2')
  await waitForLine(api.lines, 'the clock of this process')
  await signUp(api.port, 'ada')
  const [row] = await world.ctx.sql<{ id: string; createdAt: Date }[]>`
    select id, created_at from app_user`
  const most = Date.now() + DAYS_100_MS / 100
  expect(row?.createdAt.getTime()).toBeLessThan(most)
  expect(timeOfId(row?.id ?? '')).toBeLessThan(most)
})

test('a database whose clock goes 100 days ahead with its worker ends nothing until it is confirmed', async () => {
  const world = await createWorld()
  const shifted = await shiftDatabaseClock(world.url)
  onTestFinished(() => shifted.end())
  const { left, failEndpoint } = await createPerishable(world)
  const options: HalfOptions = { databaseUrl: world.url, rpcUrl: NOWHERE }
  const worker = await startHalf('worker', { ...options, env: ahead(0, DAYS_100_MS) })
  await shifted.setAhead(DAYS_100_MS)
  worker.kill('SIGUSR2')
  await waitForLine(worker.lines, 'the clock of the database has jumped')
  worker.kill('SIGTERM')
  await worker.exited
  const env = ahead(DAYS_100_MS)
  const restarted = await startHalf('worker', { ...options, env })
  await waitForLine(restarted.lines, 'the clock of the database has jumped')
  await failEndpoint()
  expect(await left()).toEqual(ALL_LEFT)
  const confirm = startProgram('src/commands/admin.ts', halfEnvironment({ ...options, env }), [
    'confirm-clock',
  ])
  expect(await confirm.ended).toMatchObject({ code: 0 })
  await waitForLine(restarted.lines, 'the clocks are right again')
})

describe.skipIf(!hasAnvil)('a worker whose clock is 80 hours ahead', () => {
  test('and that is killed keeps the chain no longer than any other that is killed', async () => {
    const chain = await startTestChain()
    const world = await createWorld()
    const campaignId = await createTestCampaign(world.ctx, {
      creator: await createUser(world.ctx),
      account: ACCOUNT,
      target: '20',
    })
    const start = (env: Record<string, string> = {}) =>
      startHalf('worker', { databaseUrl: world.url, rpcUrl: chain.url, env })
    const late = await start(ahead(0, 80 * 3_600_000))
    late.kill('SIGUSR2')
    await waitForLine(late.lines, 'the clock of this process')
    await waitFor(
      'it to take the lease',
      () => world.ctx.sql<{ owner: string }[]>`select lease_owner as owner from chain_state`,
      ([row]) => Boolean(row?.owner),
    )
    late.kill('SIGKILL')
    await late.exited
    const signed = await chain.send(await chain.signToken(1, ACCOUNT, 5_000_000n))
    await recordGift(world.as(await createUser(world.ctx)), campaignId, signed, '5')
    await chain.mine(3)
    await start()
    const [donation] = await waitFor(
      'the next worker to credit a donation',
      () => world.ctx.sql<{ status: string }[]>`select status from donation`,
      ([row]) => row?.status === 'completed',
      SOON_MS,
    )
    expect(donation?.status).toBe('completed')
  })
})
