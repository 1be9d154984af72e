import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import postgres from 'postgres'
import { expect, onTestFinished, test } from 'vitest'
import { createDatabase, type Queryable } from '../../../src/db/client.ts'
import { toDomainError } from '../../../src/db/errors.ts'
import { createPool } from '../../../src/db/pool.ts'
import type { Connection } from '../../../src/db/statement.ts'
import { createTestDatabase } from '../../support/database.ts'
import { exactly, waitFor } from '../../support/wait-for.ts'

const setUp = async (max = 2) => {
  const { url, drop } = await createTestDatabase()
  onTestFinished(drop)
  const pool = createDatabase({ url, max })
  onTestFinished(() => pool.end({ timeout: 1 }))
  const owner = createDatabase({ url, max: 1, asAppRole: false })
  onTestFinished(() => owner.end({ timeout: 1 }))
  await owner`create table kept (k int)`
  await owner`grant all on kept to fundproof_app`
  return { url, pool, owner, kept: () => owner<{ k: number }[]>`select k from kept order by k` }
}

const pidOf = async (sql: Queryable): Promise<number> => {
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
  return row?.pid ?? 0
}

test('arrays of all values go to the database and come back', async () => {
  const { pool } = await setUp()
  const texts = ['plain', 'a "quoted" \\ one', '', 'NULL', '{,}', 'two\nlines', 'é 🎈']
  const ids = ['0190a5a0-0000-7000-8000-000000000001']
  const [row] = await pool`
    select ${texts}::text[] as texts, ${ids}::uuid[] as ids, ${[1, 9007199254740991]}::bigint[] as big,
           ${[]}::text[] as none, array[true, false] as flags, array[1.50, 2]::numeric[] as sums,
           array['a', null] as gaps, array[1, 2] as numbers`
  expect(row).toEqual({
    texts,
    ids,
    big: [1, 9007199254740991],
    none: [],
    flags: [true, false],
    sums: ['1.50', '2'],
    gaps: ['a', null],
    numbers: [1, 2],
  })
  await expect(pool`select array[9007199254740993]::bigint[] as big`).rejects.toThrow('not a safe')
})

test('a statement can be part of another one, alone or with others, and is sent only when awaited', async () => {
  const { pool, kept } = await setUp()
  const value = pool`${3}::int + ${4}::int`
  const parts = [pool`+ ${1}::int`, pool`+ ${2}::int`]
  expect(await pool`select ${value} ${parts} as sum`).toEqual([{ sum: 10 }])
  const insert = pool`insert into kept values (1)`
  expect(await kept()).toEqual([])
  expect(await Promise.all([insert, insert])).toEqual([[], []])
  expect(await kept()).toEqual([{ k: 1 }])
})

test('a large answer is read in portions', async () => {
  const { pool } = await setUp()
  const sizes: number[] = []
  await pool.begin(async (sql) => {
    for await (const rows of sql`select generate_series(1, 25) as k`.cursor(10)) {
      sizes.push(rows.length)
    }
    // The portions are read, so the connection is free for the next statement.
    expect(await sql`select 1 as one`).toEqual([{ one: 1 }])
  })
  expect(sizes).toEqual([10, 10, 5])
})

test('statements of a transaction go one after the other, also when asked for at once', async () => {
  const { pool, kept } = await setUp()
  await pool.begin(async (sql) => {
    await Promise.all([
      sql`insert into kept select count(*) from kept`,
      sql`insert into kept select count(*) from kept`,
      sql`insert into kept select count(*) from kept`,
    ])
  })
  expect(await kept()).toEqual([{ k: 0 }, { k: 1 }, { k: 2 }])
})

test('a transaction one of whose statements failed is rolled back, although its work went on', async () => {
  const { pool, kept } = await setUp()
  const failing = pool.begin(async (sql) => {
    await sql`insert into kept values (1)`
    await sql`select 1 / 0`.catch(() => {})
    return 'all well'
  })
  await expect(failing).rejects.toMatchObject({ code: '22012' })
  expect(await kept()).toEqual([])
})

test('a transaction reports its first failure, not that it had failed before', async () => {
  const { pool } = await setUp()
  const failing = pool.begin(async (sql) => {
    await sql`select 1 / 0`.catch(() => {})
    await sql`select 1`
  })
  await expect(failing).rejects.toMatchObject({ code: '22012' })
})

test('a statement after the end of its transaction is refused', async () => {
  const { pool, kept } = await setUp()
  const late = await pool.begin((sql) => ({ insert: sql`insert into kept values (1)` }))
  await expect(late.insert).rejects.toThrow('is over')
  expect(await kept()).toEqual([])
})

test('work goes in the order of asking where connections are short', async () => {
  const { pool } = await setUp(1)
  const order: number[] = []
  await Promise.all(
    [1, 2, 3, 4].map(async (turn) => {
      await pool`select pg_sleep(0.01)`
      order.push(turn)
    }),
  )
  expect(order).toEqual([1, 2, 3, 4])
})

test('a transaction whose connection broke writes nothing more, nowhere', async () => {
  const { pool, owner, kept } = await setUp(1)
  const broken = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<number>()
  const lost = pool.begin(async (sql) => {
    await sql`insert into kept values (1)`
    begun.resolve(await pidOf(sql))
    await broken.promise
    // The work learns only from its next statement that its connection is gone.
    await sql`insert into kept values (2)`
  })
  await owner`select pg_terminate_backend(${await begun.promise})`
  await waitFor(
    'the connection to be gone',
    async () =>
      (await owner`select from pg_stat_activity where pid = ${await begun.promise}`).length,
    exactly(0),
  )
  broken.resolve()
  // The driver reports the end of the connection, or the socket does if the driver has not read it
  // yet.
  const code = expect.stringMatching(/^(CONNECTION_CLOSED|ECONNRESET|EPIPE)$/)
  await expect(lost).rejects.toMatchObject({ code })
  expect(await pool.begin((sql) => sql`insert into kept values (3) returning k`)).toEqual([
    { k: 3 },
  ])
  expect(await kept()).toEqual([{ k: 3 }])
})

test('an answer that never comes is given up in time, and the pool goes on', async () => {
  const { url } = await setUp()
  const pool = createDatabase({ url, max: 1, statementTimeoutMs: 500, graceMs: 500 })
  onTestFinished(() => pool.end({ timeout: 1 }))
  const frozen = await pidOf(pool)
  process.kill(frozen, 'SIGSTOP')
  onTestFinished(() => {
    process.kill(frozen, 'SIGCONT')
  })
  await expect(pool`select 1`).rejects.toMatchObject({ code: 'CONNECTION_DESTROYED' })
  expect(await pidOf(pool)).not.toBe(frozen)
})

test('a pool that ends answers what is under way and refuses what waits', async () => {
  const { pool } = await setUp(1)
  const underWay = pool`select pg_sleep(0.05), 1 as one`
  const answered = underWay.then((rows) => rows[0]?.one)
  const waits = pool`select 2`.then(() => 'answered')
  waits.catch(() => {})
  await pool.end()
  expect(await answered).toBe(1)
  await expect(waits).rejects.toMatchObject({ code: 'CONNECTION_ENDED' })
  await expect(pool`select 3`).rejects.toMatchObject({ code: 'CONNECTION_ENDED' })
})

test('an unused connection is closed, and the next caller has another one', async () => {
  const { url, owner } = await setUp()
  const pool = createDatabase({ url, max: 1, idleTimeoutS: 0.1 })
  onTestFinished(() => pool.end({ timeout: 1 }))
  const first = await pidOf(pool)
  await waitFor(
    'the connection to be closed',
    async () => (await owner`select from pg_stat_activity where pid = ${first}`).length,
    exactly(0),
  )
  expect(await pidOf(pool)).not.toBe(first)
})

test('a statement waits for a lock some seconds and is then unavailable', async () => {
  const { pool, owner } = await setUp()
  await owner.begin(async (sql) => {
    await sql`lock table kept in access exclusive mode`
    const error: unknown = await pool`select from kept`.catch((error: unknown) => error)
    expect(error).toMatchObject({ code: '55P03' })
    expect(toDomainError(error)).toMatchObject({ code: 'unavailable' })
  })
}, 30_000)

test('where statements may take any time, no answer is too late', async () => {
  const { url } = await setUp()
  const pool = createDatabase({ url, max: 1, statementTimeoutMs: 0, graceMs: 100 })
  onTestFinished(() => pool.end({ timeout: 1 }))
  expect(await pool`select 1 as one, pg_sleep(1.2)`).toMatchObject([{ one: 1 }])
})

test.each([
  ['with a wrong password', (url: URL) => Object.assign(url, { password: 'wrong' }), '28P01'],
  ['to a database that is gone', (url: URL) => Object.assign(url, { pathname: '/gone' }), '3D000'],
])('a connection %s is unavailable', async (_, change, code) => {
  const { url } = await setUp()
  const pool = createDatabase({ url: change(new URL(url)).href, max: 1 })
  onTestFinished(() => pool.end({ timeout: 1 }))
  const error: unknown = await pool`select 1`.catch((error: unknown) => error)
  expect(error).toMatchObject({ code })
  expect(toDomainError(error)).toMatchObject({ code: 'unavailable' })
})

test('a refused connection fails no caller that waits for the next one', async () => {
  const pool = createDatabase({ url: 'postgres://unknown@127.0.0.1:1/none', max: 2 })
  onTestFinished(() => pool.end({ timeout: 1 }))
  const codes = await Promise.all(
    Array.from({ length: 8 }, () =>
      pool`select 1`.then(
        () => 'answered',
        (error: unknown) => (error as { code?: string }).code,
      ),
    ),
  )
  expect(new Set(codes)).toEqual(new Set(['ECONNREFUSED']))
})

test('a failure in portions is not committed, also if the caller ignores it', async () => {
  const { pool, kept } = await setUp()
  const failing = pool.begin(async (sql) => {
    await sql`insert into kept values (1)`
    try {
      for await (const _ of sql`select 1 / (3 - n) from generate_series(1, 5) n`.cursor(1));
    } catch {}
  })
  await expect(failing).rejects.toThrow('rolled back')
  expect(await kept()).toEqual([])
})

test('keeps nothing of a connection after its end', async () => {
  const { url } = await setUp()
  const useOnce = async () => {
    const opened: WeakRef<object>[] = []
    const open = (onclose: () => void) => {
      const sql = postgres(url, { max: 1, onclose, fetch_types: false })
      opened.push(new WeakRef(sql))
      return sql as unknown as Connection
    }
    const limits = { max: 1, answerMs: 5_000, idleMs: 5_000 }
    const pool = createPool({ open, ...limits })
    await pool`select 1`
    await pool.end({ timeout: 1 })
    return opened
  }
  const opened = await useOnce()
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  await waitFor(
    'the connections to be collected',
    () => {
      collect()
      return opened.filter((connection) => connection.deref() !== undefined).length
    },
    exactly(0),
    8_000,
  )
})
