import { describe, expect, onTestFinished, test } from 'vitest'
import { migrate } from '../../src/db/migrate.ts'
import { checkLedger } from '../../src/domain/books/index.ts'
import { migrateQueue } from '../../src/queue/index.ts'
import { call, signUp } from '../support/api-user.ts'
import {
  type DebianPostgres,
  hasDebianPostgres,
  startDebianPostgres,
} from '../support/debian-postgres.ts'
import { createFundraiser, expectWhole, startGiving } from '../support/donation-load.ts'
import { startHalf } from '../support/halves.ts'
import { newFolder } from '../support/new-folder.ts'
import { startSwitch } from '../support/tcp-switch.ts'
import { hasAnvil, startTestChain } from '../support/test-chain.ts'
import { including, waitFor } from '../support/wait-for.ts'

/** The tests take a minute in all. A busy machine needs longer. */
const TIMEOUT_MS = 240_000
const OWNER = 'bookkeeper'

/** The service on a primary with one standby, and a proxy in front of the two. */
const setUp = async () => {
  const chain = await startTestChain()
  const primary = await startDebianPostgres()
  onTestFinished(() => primary.stop())
  await primary.administer(`create role ${OWNER} login createrole`)
  await primary.administer(`create database books owner ${OWNER}`)
  await migrate(primary.urlOf(OWNER, 'books'))
  await migrateQueue(primary.urlOf(OWNER, 'books'))
  const standby = await primary.addStandby('standby')
  onTestFinished(() => standby.stop())
  const proxy = await startSwitch({ host: '127.0.0.1', port: primary.port })
  const url = `postgres://${OWNER}@127.0.0.1:${proxy.port}/books`
  const fundraiser = await createFundraiser(url)
  const campaignId = fundraiser.campaignIds[0] ?? ''
  const places = { databaseUrl: url, rpcUrl: chain.url, env: { DATA_DIR: newFolder() } }
  const [api, worker] = await Promise.all([startHalf('api', places), startHalf('worker', places)])
  const { token } = await signUp(api.port, 'donor')
  /** Kills the primary as a loss of its machine does, and makes the standby the new primary. */
  const failOver = async () => {
    primary.kill()
    proxy.point(undefined)
    await standby.promote()
    proxy.point({ host: '127.0.0.1', port: standby.port })
  }
  const give = () => startGiving({ ...fundraiser, campaignId, chain, ports: [api.port], token })
  return {
    ...{ chain, primary, standby, fundraiser },
    ...{ api, worker, token, failOver, give },
  }
}

const follows = (primary: DebianPostgres, state: string) =>
  waitFor(
    `the standby to be ${state}`,
    async () => {
      const { output } = primary.run('psql', [
        ...['-d', primary.urlOf('postgres', 'postgres'), '-Atc'],
        "select coalesce(max(sync_state), 'away') from pg_stat_replication",
      ])
      return output.trim()
    },
    (shown) => shown === state,
  )

describe.skipIf(!hasAnvil || !hasDebianPostgres)('the loss of the primary', () => {
  test(
    'with a synchronous standby loses and doubles nothing, and needs no restart',
    async () => {
      const { primary, fundraiser, api, worker, failOver, give } = await setUp()
      await primary.administer("alter system set synchronous_standby_names = 'standby'")
      await primary.administer('select pg_reload_conf()')
      await follows(primary, 'sync')
      const load = give()
      await load.more(60)
      await load.during('The primary was killed', failOver)
      await load.more(60)
      await load.stop()
      await expectWhole(fundraiser, [load])
      expect(worker.output()).not.toContain('the database was restored')
      expect(api.hasEnded() || worker.hasEnded()).toBe(false)
    },
    TIMEOUT_MS,
  )

  test(
    'with an asynchronous standby loses what it lacks, which a worker notices',
    async () => {
      const { chain, primary, standby, fundraiser, api, ...setup } = await setUp()
      const { worker, token, failOver, give } = setup
      const { pool } = fundraiser
      const load = give()
      await load.more(10)
      await follows(primary, 'async')
      await standby.administer("alter system set primary_conninfo = ''")
      await standby.administer('select pg_reload_conf()')
      await follows(primary, 'away')
      await load.more(10)
      await load.stop()
      const statuses = () => pool<{ id: string; status: string }[]>`
        select id, status from donation`
      const completed = (rows: { status: string }[]) =>
        rows.length === load.acknowledged.length &&
        rows.every(({ status }) => status === 'completed')
      await waitFor('all donations to complete', statuses, completed)
      await waitFor(
        'all entries to be sealed',
        () => pool`select from sealed_entry`,
        (rows) => rows.length === load.acknowledged.length,
      )
      await failOver()
      await waitFor('the loss to be noticed', worker.output, including('the database was restored'))
      expect(await call(api.port, 'GET', '/readyz')).toMatchObject({
        status: 200,
        body: { checks: { seals: { note: expect.stringMatching(/^restored/) } } },
      })
      const known = new Set((await statuses()).map(({ id }) => id))
      const lost = load.acknowledged.filter(({ id }) => !known.has(id))
      expect(lost.length).toBeGreaterThan(0)
      // The chain still has the payments, so donors who name them again lose nothing.
      for (const { body } of lost) {
        const again = await call(api.port, 'POST', '/api/donations', { token, body })
        expect(again).toMatchObject({ status: 201 })
      }
      await chain.mine(3)
      await waitFor('all donations to complete again', statuses, completed)
      expect((await checkLedger(pool)).differences).toEqual([])
    },
    TIMEOUT_MS,
  )
})
