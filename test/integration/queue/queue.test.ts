import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import postgres from 'postgres'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createLog } from '../../../src/kernel/ports/log.ts'
import { createQueue, migrateQueue, type Queue } from '../../../src/queue/index.ts'
import { createTestDatabase, type TestDatabase } from '../../support/database.ts'

const WAIT = { timeout: 20_000, interval: 5 }
const SCRIPT = join(import.meta.dirname, 'support/wake-once.ts')

let database: TestDatabase
let sql: postgres.Sql
const open: Queue[] = []
beforeEach(async () => {
  database = await createTestDatabase()
  sql = postgres(database.url, { max: 2, onnotice: () => {} })
})
afterEach(async () => {
  await Promise.all(open.splice(0).map((queue) => queue.stop()))
  await sql.end({ timeout: 1 })
  await database.drop()
})

const create = (role: 'api' | 'worker'): Queue => {
  const queue = createQueue({ databaseUrl: database.url, log: createLog('silent', 'test'), role })
  open.push(queue)
  return queue
}

/** A worker that counts the wake-ups of a topic, and an API. */
const startPair = async () => {
  await migrateQueue(database.url)
  const [api, worker] = [create('api'), create('worker')]
  const woken = vi.fn()
  worker.onWake('events', woken)
  await Promise.all([api.start(), worker.start()])
  return { api, worker, woken }
}

const waitingWakeUps = async (): Promise<number> => {
  const rows = await sql`
    select 1 from pgboss.job where name = 'wake-events' and state = 'created'`
  return rows.length
}

describe('the queue', () => {
  test('wakes a worker up from another connection, without waiting for a poll', async () => {
    const { api, woken } = await startPair()
    const start = performance.now()
    api.wake('events')
    await vi.waitFor(() => expect(woken).toHaveBeenCalled(), WAIT)
    expect(performance.now() - start).toBeLessThan(500)
  })

  test('wakes a worker up from another process', async () => {
    await migrateQueue(database.url)
    const worker = create('worker')
    const woken = vi.fn()
    worker.onWake('deliveries', woken)
    await worker.start()
    await promisify(execFile)(process.execPath, [SCRIPT, database.url])
    await vi.waitFor(() => expect(woken).toHaveBeenCalled(), WAIT)
  })

  test('makes few wake-ups of many, and one after the last of them', async () => {
    const { api, woken } = await startPair()
    const start = performance.now()
    let last = 0
    let calledAt = 0
    woken.mockImplementation(() => {
      calledAt = performance.now()
    })
    for (let i = 0; i < 10_000; i++) {
      last = performance.now()
      api.wake('events')
      if (i % 100 === 0) await new Promise(setImmediate)
    }
    await vi.waitFor(() => expect(calledAt).toBeGreaterThan(last), WAIT)
    expect(woken.mock.calls.length).toBeLessThan(3 + (performance.now() - start) / 20)
  })

  test('lets one wake-up of a topic wait, however many are sent without a worker', async () => {
    await migrateQueue(database.url)
    const [first, second] = [create('api'), create('api')]
    await Promise.all([first.start(), second.start()])
    for (const queue of [first, second, first, second]) {
      queue.wake('events')
      await vi.waitFor(async () => expect(await waitingWakeUps()).toBe(1), WAIT)
    }
    await Promise.all([first.stop(), second.stop()])
    expect(await waitingWakeUps()).toBe(1)
    const worker = create('worker')
    const woken = vi.fn()
    worker.onWake('events', woken)
    await worker.start()
    await vi.waitFor(() => expect(woken).toHaveBeenCalledTimes(1), WAIT)
  })

  test('wakes the jobs of its own process without the database', async () => {
    const { worker, woken } = await startPair()
    worker.wake('events')
    expect(woken).toHaveBeenCalledTimes(1)
    expect(await sql`select 1 from pgboss.job`).toHaveLength(0)
  })

  test('works again after the database has ended all its connections', async () => {
    const { api, woken } = await startPair()
    const ended = await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name like 'fundproof-queue-%'`
    expect(ended.length).toBeGreaterThanOrEqual(3)
    api.wake('events')
    await vi.waitFor(() => expect(woken).toHaveBeenCalled(), WAIT)
    // The wake-up comes by LISTEN again, and not only by the poll.
    await vi.waitFor(async () => {
      woken.mockClear()
      api.wake('events')
      await vi.waitFor(() => expect(woken).toHaveBeenCalled(), { timeout: 200, interval: 5 })
    }, WAIT)
  })

  test('neither throws nor waits when the database is gone', async () => {
    const { api, worker } = await startPair()
    await database.drop()
    expect(() => api.wake('events')).not.toThrow()
    const start = performance.now()
    await Promise.all([api.stop(), worker.stop()])
    expect(performance.now() - start).toBeLessThan(2_500)
  })

  test('does nothing before it is started and after it has stopped', async () => {
    await migrateQueue(database.url)
    const queue = create('api')
    queue.wake('events')
    await queue.start()
    await queue.stop()
    queue.wake('events')
    await queue.stop()
  })

  test('refuses to start on a database that was not migrated', async () => {
    await sql`drop schema if exists pgboss cascade`
    await expect(create('api').start()).rejects.toThrow(/^The queue could not be started: .*\.$/)
  })

  test('is migrated by several processes at once, and again without a change', async () => {
    await sql`drop schema if exists pgboss cascade`
    await Promise.all([migrateQueue(database.url), migrateQueue(database.url)])
    await migrateQueue(database.url)
    const queues = await sql`select name, policy, notify from pgboss.queue order by name`
    expect(queues.filter(({ name }) => name.startsWith('wake-'))).toEqual(
      ['deliveries', 'donations', 'events', 'mail'].map((topic) => ({
        name: `wake-${topic}`,
        policy: 'short',
        notify: true,
      })),
    )
  })
})
