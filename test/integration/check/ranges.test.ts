import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openJournal } from '../../../src/commands/check-journal.ts'
import { createProgress } from '../../../src/commands/check-progress.ts'
import { createDatabase, type Database } from '../../../src/db/client.ts'
import { checkBooks, type Journal, keyOf } from '../../../src/domain/books/index.ts'
import { check } from '../seals/support/check-command.ts'
import { useCheckedWorld } from './support/checked-world.ts'

const copy = useCheckedWorld()

/** Changes of the first, a middle and the last row of each table that is checked in ranges. */
const DAMAGE = [
  ['donation', 'id', 'confirmed_amount = confirmed_amount + 1'],
  ['chain_transfer', 'id', "sender = '\\x00', generation = 7"],
  ['ledger_entry', 'id', 'block_number = 1'],
  ['ledger_seal', 'id', "signature = 'AAAA'"],
  ['sealed_entry', 'entry_id', 'position = position + 1'],
  ['donation_proof', 'donation_id', "created_at = '2020-01-01'"],
].flatMap(([table, key, change]) =>
  ['asc', 'desc', 'asc offset 3'].map(
    (order) =>
      `update ${table} set ${change} where ${key} = (
        select ${key} from ${table} order by ${key} ${order} limit 1)`,
  ),
)

const damaged = async () => {
  const world = await copy()
  await world.tamper(...DAMAGE)
  return world
}

/** Checks the books. Sorts the differences, because the rows of a range have no order. */
const booksOf = async (pool: Database, options: Parameters<typeof checkBooks>[3]) => {
  const outcome = await checkBooks(pool, [], [], options)
  return { ...outcome, differences: outcome.differences.map((one) => JSON.stringify(one)).sort() }
}

const newFile = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'fundproof-check-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'check.jsonl')
}

test.each([
  [1, 1],
  [2, 1],
  [2, 2],
  [3, 2],
  [1_000, 2],
])(
  'finds the same in ranges of %i rows on %i connections as in one range on one',
  async (rows, jobs) => {
    const { ctx } = await damaged()
    const all = await booksOf(ctx.pool, {})
    expect(all.differences.length).toBeGreaterThan(DAMAGE.length)
    for (const what of ['amount of donation', 'signature of seal', 'sealed entry']) {
      expect(all.differences).toContainEqual(expect.stringContaining(`"${what}"`))
    }
    const options = { rows, jobs }
    expect(await booksOf(ctx.pool, options)).toEqual(all)
  },
)

test('all connections see one state of the database, also if it changes meanwhile', async () => {
  const { ctx, tamper } = await copy()
  let changes = 0
  const options = {
    ...{ rows: 2, jobs: 2 },
    onProgress: () => {
      changes += 1
      if (changes === 5) void tamper('update donation set confirmed_amount = 1')
    },
  }
  expect((await checkBooks(ctx.pool, [], [], options)).differences).toEqual([])
  expect((await checkBooks(ctx.pool, [], [], {})).differences).not.toEqual([])
})

/** A journal that fails after this number of ranges, as a process that is killed. */
const killedAfter = (journal: Journal, ranges: number): Journal => {
  let saved = 0
  return {
    ...journal,
    found: journal.found,
    saveFound(key, found) {
      if (saved === ranges) throw new Error('killed')
      saved += 1
      journal.saveFound(key, found)
    },
  }
}

test('finds the same as one run after it was killed several times and resumed', async () => {
  const { ctx } = await damaged()
  const once = await booksOf(ctx.pool, { rows: 3 })
  const file = newFile()
  for (const ranges of [0, 1, 7, 20]) {
    const journal = killedAfter(openJournal(file, 'a'), ranges)
    const run = checkBooks(ctx.pool, [], [], { rows: 3, jobs: 2, journal })
    await expect(run).rejects.toThrow('killed')
  }
  // The process was killed while it wrote a line.
  writeFileSync(file, `${readFileSync(file, 'utf8')}\n{"key":"donations 1","fou`)
  const journal = openJournal(file, 'a')
  expect(journal.found.size).toBeGreaterThanOrEqual(20)
  const computed: string[] = []
  const last: Journal = {
    ...journal,
    saveFound(key, found) {
      computed.push(key)
      journal.saveFound(key, found)
    },
  }
  // The last range of each part is open to new rows, so it is checked again.
  const again = Object.entries(journal.plan).map(([part, ends]) => keyOf(part, ends.length))
  const known = [...journal.found.keys()].filter((key) => !again.includes(key))
  expect(await booksOf(ctx.pool, { rows: 3, jobs: 2, journal: last })).toEqual(once)
  expect(computed.filter((key) => known.includes(key))).toEqual([])
})

test('checks new rows after it was resumed, also after the last finished range', async () => {
  const { ctx, tamper } = await copy()
  const file = newFile()
  await checkBooks(ctx.pool, [], [], { rows: 3, journal: openJournal(file, 'a') })
  await tamper(
    `insert into ledger_entry (kind, debit_account, credit_account, asset_id, amount, campaign_id, created_at)
     select kind, credit_account, debit_account, asset_id, amount, campaign_id, created_at
     from ledger_entry where kind = 'donation' order by id limit 1`,
  )
  const { differences } = await checkBooks(ctx.pool, [], [], {
    ...{ rows: 3, journal: openJournal(file, 'a') },
  })
  const [newest] = await ctx.sql<{ id: number }[]>`select max(id) as id from ledger_entry`
  expect(differences.map(({ what, id }) => `${what} ${id}`)).toContain(
    `accounts of entry ${newest?.id}`,
  )
})

test('npm run check --resume removes its file at the end, and refuses the file of another database', async () => {
  const { url } = await copy()
  const file = newFile()
  const clean = await check(url, '--resume', file, '--jobs', '2')
  expect([clean.code, clean.out]).toEqual([0, expect.not.stringContaining('resumed')])
  expect(() => readFileSync(file)).toThrow('ENOENT')

  writeFileSync(file, readFileSync(open(file, 'another database')))
  const refused = await check(url, '--resume', file)
  expect([refused.code, refused.out]).toEqual([
    2,
    `--resume ${file}: the file is not of a check of this database by this version of Fundproof.\n`,
  ])
})

/** Writes the first line of a journal. */
const open = (file: string, database: string): string => {
  openJournal(file, database)
  return file
}

test('npm run check --resume says that the parts saw different states', async () => {
  const { url, ctx } = await copy()
  const file = newFile()
  const [row] = await ctx.sql<{ name: string }[]>`
    select system_identifier || ' ' || current_database() as name from pg_control_system()`
  open(file, row?.name ?? '')
  const { code, out } = await check(url, '--resume', file)
  expect([code, out]).toEqual([0, expect.stringContaining('its parts saw different states')])
})

test.each([
  [['--jobs', '0'], '--jobs takes a number from 1 to 64.'],
  [['--jobs', 'two'], '--jobs takes a number from 1 to 64.'],
])('npm run check refuses %j', async (args, message) => {
  const { code, out } = await check('postgres://127.0.0.1:1/none', ...args)
  expect([code, out]).toEqual([2, `${message}\n`])
})

test('npm run check says in one sentence that the database went away, and exits 2', async () => {
  const { url } = await copy()
  const owner = createDatabase({ url, max: 2, asAppRole: false })
  onTestFinished(() => owner.end({ timeout: 1 }))
  const ended = await owner.begin(async (sql) => {
    await sql`lock table chain_transfer`
    const running = check(url, '--jobs', '2')
    let killed = 0
    while (killed === 0) {
      const rows = await owner`
        select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'fundproof check' and datname = current_database()
          and wait_event_type = 'Lock'`
      killed = rows.length
    }
    return running
  })
  expect([ended.code, ended.out]).toEqual([
    2,
    expect.stringMatching(/^The check is not complete, because the database .*\n$/),
  ])
})

test('prints its progress every ten seconds, and none before', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const lines: string[] = []
  const progress = createProgress((line) => lines.push(line))
  progress.onProgress({ part: 'entries', share: 0, entries: 20_000 })
  vi.advanceTimersByTime(9_999)
  expect(lines).toEqual([])
  vi.advanceTimersByTime(1)
  progress.onProgress({ part: 'donations', share: 0.25, entries: 20_000 })
  vi.advanceTimersByTime(10_000)
  progress.stop()
  vi.advanceTimersByTime(60_000)
  expect(lines).toEqual([
    '0 % done, now entries',
    '25 % done, now donations; 250 entries/s, about 60 s left',
  ])
})
