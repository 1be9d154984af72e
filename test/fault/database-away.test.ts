import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createDatabase, type Database } from '../../src/db/client.ts'
import { checkLedger } from '../../src/domain/books/index.ts'
import { call, signUp } from '../support/api-user.ts'
import { address } from '../support/chain-facts.ts'
import { type Half, startHalf } from '../support/halves.ts'
import { newFolder } from '../support/new-folder.ts'
import { startOwnPostgres } from '../support/own-postgres.ts'
import { hasAnvil, startTestChain } from '../support/test-chain.ts'
import { waitFor } from '../support/wait-for.ts'
import { createContext, createTestCampaign, createUser, createWorld } from '../support/world.ts'

const ACCOUNT = address('campaign')
/** The time limit for an answer, which is shorter than the timeout of an ordinary client. */
const ANSWERED_IN_MS = 3_000

const open = (url: string, asAppRole = true): Database => {
  const pool = createDatabase({ url, max: 2, asAppRole })
  onTestFinished(() => pool.end({ timeout: 1 }))
  return pool
}

/** Ends all other connections, as a failover or a restart does. */
const endConnections = (owner: Database) =>
  owner`select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()`

/** Starts the API and the worker, and creates a campaign and a donor who has paid it. */
const setUp = async (url: string, env: Record<string, string> = {}) => {
  const chain = await startTestChain()
  const { ctx } = await createContext(open(url))
  const creator = await createUser(ctx)
  const campaignId = await createTestCampaign(ctx, { creator, account: ACCOUNT, target: '30' })
  const places = { databaseUrl: env.DATABASE_URL_FILE ? '' : url, rpcUrl: chain.url, env }
  const [api, worker] = await Promise.all([startHalf('api', places), startHalf('worker', places)])
  const donor = await signUp(api.port, 'donor')
  const signed = await chain.send(await chain.signToken(1, ACCOUNT, 1_000_000n))
  const donation = {
    campaignId,
    amount: { value: 1, currency: 'USDC' },
    transaction: { txHash: signed.hash, ledgerAddress: signed.from },
  }
  const donate = () =>
    call(api.port, 'POST', '/api/donations', { token: donor.token, body: donation })
  /**
   * Posts the donation until it is accepted, and expects that it completes in spite of the delay.
   */
  const expectCompletion = async () => {
    await waitFor('the donation to be taken', donate, ({ status }) => status === 201)
    await chain.mine(3)
    // Uses a new pool, because an older pool may still have broken connections.
    const pool = open(url)
    await waitFor(
      'the donation to complete',
      () => pool<{ status: string }[]>`select status from donation`,
      (rows) => rows.length === 1 && rows[0]?.status === 'completed',
    )
    expect((await checkLedger(pool)).differences).toEqual([])
    expect(await pool`select raised from campaign_total`).toEqual([{ raised: '1000000' }])
  }
  return { chain, api, worker, donor, campaignId, donate, expectCompletion }
}

type Failure = { job: string; failures: number; backoffMs: number; reason: string; time: string }

const failuresOf = (worker: Half, job: string): Failure[] =>
  worker.lines
    .filter((line) => line.includes('"a pass failed"'))
    .map((line) => JSON.parse(line) as Failure)
    .filter((line) => line.job.startsWith(job))

/** Expects one log line for each failed pass. The pauses double up to 5 s. */
const expectBackoff = (failures: readonly Failure[]) => {
  expect(failures.map((one) => one.failures)).toEqual(failures.map((_, index) => index + 1))
  for (const [index, one] of failures.entries()) {
    expect(one.backoffMs).toBe(Math.min(5_000, 250 * 2 ** index))
    const before = failures[index - 1]
    if (!before) continue
    const gapMs = Date.parse(one.time) - Date.parse(before.time)
    expect(gapMs).toBeGreaterThanOrEqual(before.backoffMs - 5)
  }
}

describe.skipIf(!hasAnvil)('a database', () => {
  test('that is away is answered with 503 and waited for, and nothing is lost', async () => {
    const postgres = await startOwnPostgres()
    const { api, worker, donor, campaignId, donate, expectCompletion } = await setUp(postgres.url)
    await postgres.stop()
    const asked = [
      () => call(api.port, 'GET', '/api/campaigns'),
      () => call(api.port, 'GET', `/api/campaigns/${campaignId}`),
      () => call(api.port, 'GET', '/api/donations', { token: donor.token }),
      () => call(api.port, 'GET', '/readyz'),
      donate,
    ]
    const answers: string[] = []
    await waitFor(
      'the worker to have tried five times',
      async () => {
        for (const ask of asked) {
          const startedAt = performance.now()
          const { status, headers } = await ask()
          const inTime = performance.now() - startedAt < ANSWERED_IN_MS ? 'soon' : 'late'
          answers.push(`${status} ${headers.get('retry-after')} ${inTime}`)
        }
        return failuresOf(worker, 'sync-chain').length
      },
      (count) => count >= 5,
    )
    expect(answers.length).toBeGreaterThanOrEqual(2 * asked.length)
    expect([...new Set(answers)]).toEqual(['503 5 soon'])
    expectBackoff(failuresOf(worker, 'sync-chain'))
    const queue = worker.lines.filter((line) => line.includes('the queue had an error'))
    expect(queue.length).toBeLessThanOrEqual(3)
    await postgres.restart()
    await expectCompletion()
  }, 120_000)

  test('with a new password is answered with 503 until its file has the password', async () => {
    const postgres = await startOwnPostgres()
    const file = join(newFolder(), 'url')
    writeFileSync(file, postgres.url)
    const { api, worker, expectCompletion } = await setUp(postgres.url, { DATABASE_URL_FILE: file })
    const owner = open(postgres.url, false)
    const { password } = new URL(postgres.url)
    const campaigns = () => call(api.port, 'GET', '/api/campaigns')
    const change = async (to: string) => {
      await owner`alter role fundproof password ${owner.unsafe(`'${to}'`)}`
      await endConnections(owner)
      await waitFor('the API to be refused', campaigns, ({ status }) => status !== 200)
      const refused = await campaigns()
      expect(refused).toMatchObject({ status: 503, body: { code: 'unavailable' } })
      expect(refused.headers.get('retry-after')).toBe('5')
      writeFileSync(file, Object.assign(new URL(postgres.url), { password: to }).href)
      await waitFor('the API to sign in', campaigns, ({ status }) => status === 200)
    }
    await change('new/hidden')
    await change(password)
    await expectCompletion()
    for (const half of [api, worker]) {
      expect(half.lines.filter((line) => line.includes('hidden'))).toEqual([])
    }
  }, 120_000)

  test('whose disk is full is answered with 503 and waited for, and nothing is lost', async () => {
    const { url } = await createWorld()
    const { chain, api, worker, campaignId, donate, expectCompletion } = await setUp(url)
    const owner = open(url, false)
    await owner`
      create function disk_full() returns trigger language plpgsql as $$
      begin
        raise exception 'could not extend file: No space left on device' using errcode = '53100';
      end $$`
    const growing = ['donation', 'chain_block', 'ledger_entry', 'event']
    for (const table of growing) {
      await owner`
        create trigger disk_full before insert on ${owner(table)}
        for each statement execute function disk_full()`
    }
    await chain.mine(3)
    await waitFor(
      'the worker to have tried five times',
      () => failuresOf(worker, 'sync-chain').length,
      (count) => count >= 5,
    )
    expectBackoff(failuresOf(worker, 'sync-chain'))
    expect(failuresOf(worker, 'sync-chain')[0]?.reason).toContain('No space left')
    const refused = await donate()
    expect(refused).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    expect(refused.headers.get('retry-after')).toBe('5')
    // Requests that write nothing still work.
    expect((await call(api.port, 'GET', `/api/campaigns/${campaignId}`)).status).toBe(200)
    for (const table of growing) await owner`drop trigger disk_full on ${owner(table)}`
    await expectCompletion()
  }, 120_000)
})
