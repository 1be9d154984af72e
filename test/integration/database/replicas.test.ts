import { expect, onTestFinished, test } from 'vitest'
import { run as migrate } from '../../../src/commands/migrate.ts'
import { createDatabase } from '../../../src/db/client.ts'
import { call, signUp } from '../../support/api-user.ts'
import { address } from '../../support/chain-facts.ts'
import { runCommand } from '../../support/command.ts'
import { hasDebianPostgres, startDebianPostgres } from '../../support/debian-postgres.ts'
import { startHalf } from '../../support/halves.ts'
import { freePort } from '../../support/metrics-scrape.ts'
import { waitFor } from '../../support/wait-for.ts'
import { createContext, createTestCampaign, createUser } from '../../support/world.ts'

const OWNER = 'bookkeeper'
const MAX_LAG_S = 3
const TIMEOUT_MS = 240_000

/** An API with a primary, a replica, and a campaign that both have. */
const startSite = async (...settings: string[]) => {
  const primary = await startDebianPostgres()
  onTestFinished(() => primary.stop())
  await primary.administer(`create role ${OWNER} login createrole`)
  await primary.administer(`create database books owner ${OWNER}`)
  const url = primary.urlOf(OWNER, 'books')
  expect(await runCommand(migrate, [], { DATABASE_URL: url })).toMatchObject({ code: 0 })
  const pool = createDatabase({ url, max: 2 })
  onTestFinished(() => pool.end({ timeout: 1 }))
  const { ctx } = await createContext(pool)
  const terms = { creator: await createUser(ctx), account: address('campaign') }
  const campaignId = await createTestCampaign(ctx, terms)
  const replica = await startDebianPostgres({ primary, settings })
  onTestFinished(() => replica.stop())
  const metricsPort = await freePort()
  const env = {
    DATABASE_READ_URL: replica.urlOf(OWNER, 'books'),
    READ_MAX_LAG_SECONDS: String(MAX_LAG_S),
    METRICS_PORT: String(metricsPort),
  }
  const api = await startHalf('api', { databaseUrl: url, rpcUrl: 'http://127.0.0.1:9', env })
  const metrics = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  /** Counts the reads of visitors that went to the replica, or to the primary. */
  const reads = async () => {
    const text = await metrics()
    const of = (from: string) =>
      Number(new RegExp(`visitor_reads_total{.*from="${from}".*} (\\d+)`).exec(text)?.[1] ?? 0)
    return { replica: of(`127.0.0.1:${replica.port}`), primary: of('primary') }
  }
  const isFresh = async () =>
    Number(/replica_lag_seconds{.*} ([\d.]+)/.exec(await metrics())?.[1]) < 2
  await waitFor('the replica to be known', isFresh, Boolean)
  const path = `/v1/campaigns/${campaignId}`
  return { primary, replica, pool, port: api.port, campaignId, path, reads, isFresh }
}

const change = (pool: Awaited<ReturnType<typeof startSite>>['pool'], title: string) =>
  pool`update campaign set title = ${title}`

test.skipIf(!hasDebianPostgres)(
  'visitors read a replica that is up to date, callers with credentials and visitors of a late or lost replica the primary, without an error',
  async () => {
    const { replica, pool, port, path, reads, isFresh } = await startSite()
    const titleOf = async (token?: string) => {
      const { status, body } = await call(port, 'GET', path, token === undefined ? {} : { token })
      return status === 200 ? /"title":"(Wells|Later)"/.exec(JSON.stringify(body))?.[1] : status
    }
    const { token } = await signUp(port, 'ada')
    const before = await reads()
    expect(await titleOf()).toBe('Wells')
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200)
    expect(await reads()).toEqual({ ...before, replica: before.replica + 2 })
    await titleOf(token)
    expect(await reads()).toEqual({ ...before, replica: before.replica + 2 })

    await replica.administer('select pg_wal_replay_pause()')
    await change(pool, 'Later')
    expect(await titleOf()).toBe('Wells')
    expect(await titleOf(token)).toBe('Later')
    await waitFor(
      'the primary to be read',
      () => titleOf(),
      (title) => title === 'Later',
    )
    await replica.administer('select pg_wal_replay_resume()')
    await waitFor('the replica to be read again', isFresh, Boolean)

    const answers: unknown[] = []
    let isOver = false
    const visits = (async () => {
      while (!isOver) answers.push(await titleOf())
    })()
    const { primary: untilNow } = await reads()
    await replica.stop()
    await waitFor(
      'the primary to be read',
      async () => (await reads()).primary > untilNow + 10,
      Boolean,
    )
    isOver = true
    await visits
    expect(new Set(answers)).toEqual(new Set(['Later']))
  },
  TIMEOUT_MS,
)

test.skipIf(!hasDebianPostgres)(
  'a guest who has recorded a donation sees it at once, also while a replica is late',
  async () => {
    const { replica, port, campaignId, reads } = await startSite('recovery_min_apply_delay=300ms')
    const give = async () => {
      const gift = { campaignId, amount: { value: '10', currency: 'USDC' } }
      const body = { ...gift, donor: { walletAddress: address('guest') } }
      const { status, body: answer } = await call(port, 'POST', '/v1/donations', { body })
      expect(status).toBe(201)
      return `/v1/donations/${(answer.data as { id: string }).id}`
    }
    for (let given = 0; given < 5; given++) {
      const path = await give()
      const before = await reads()
      expect((await call(port, 'GET', path)).status).toBe(200)
      expect(await reads()).toEqual({ ...before, replica: before.replica + 1 })
    }
    await replica.administer('select pg_wal_replay_pause()')
    const path = await give()
    const before = await reads()
    expect((await call(port, 'GET', path)).status).toBe(200)
    // The answer to the guest came when the replica was too late to be read.
    expect(await reads()).toEqual({ ...before, primary: before.primary + 1 })
  },
  TIMEOUT_MS,
)
