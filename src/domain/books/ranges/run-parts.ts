import type { Database, Queryable } from '../../../db/client.ts'
import type { Difference } from '../../shared/index.ts'
import { among, MOST_DIFFERENCES, readByIndex, readWholeTables, type Slice } from './slice.ts'

/** The result of a part, or of one range of a part. */
export type Found = { differences: Difference[]; counts?: Record<string, number> }

/** A part of a check, which is independent of the other parts. */
export type Part = {
  name: string
  /** The table whose rows are checked in ranges of a column. Without it, the part runs once. */
  ranges?: { table: string; column: string; rows: keyof Slice; above?: number }
  /** A small part reads by index, and a resumed check runs it again. */
  isSmall?: boolean
  run(sql: Queryable, slice: Slice): PromiseLike<Found>
}

/** For each part, the ids that end its ranges. The last range has no end. */
export type Plan = Record<string, string[]>

/** The plan and the results of an earlier run. The key of a result is {@link keyOf}. */
export type Journal = {
  plan: Plan
  found: ReadonlyMap<string, Found>
  savePlan(plan: Plan): void
  saveFound(key: string, found: Found): void
}

/** `share`: the finished share of the work of this run, from 0 to 1. */
export type Progress = { part: string; share: number; entries: number }

export type RunOptions = {
  /** The number of rows of a range. Default: 20 000. */
  rows?: number
  journal?: Journal
  onProgress?(progress: Progress): void
}

/** `isCut`: there may be more differences, because a part returns at most `MOST_DIFFERENCES`. */
export type Outcome = {
  differences: Difference[]
  counts: Record<string, number>
  isCut: boolean
}

const ROWS_AT_ONCE = 20_000
/** A part that reads whole tables takes about the time of this share of all ranges. */
const WHOLE_SHARE = 0.02

const NO_JOURNAL: Journal = {
  plan: {},
  found: new Map(),
  savePlan: () => {},
  saveFound: () => {},
}

/** Opens this number of transactions that all see the same state of the database. */
export const onOneSnapshot = <T>(
  pool: Database,
  jobs: number,
  work: (connections: readonly Queryable[]) => Promise<T>,
): Promise<T> => {
  const open = (connections: Queryable[], snapshot?: string): Promise<T> =>
    pool.begin('isolation level repeatable read read only', async (sql) => {
      if (snapshot) await sql.unsafe(`set transaction snapshot '${snapshot}'`)
      // A connection that has finished its work waits for the others.
      await sql`select set_config('idle_in_transaction_session_timeout', '0', true)`
      const all = [...connections, sql]
      if (all.length === jobs) return work(all)
      const [exported] = await sql<{ id: string }[]>`select pg_export_snapshot() as id`
      return open(all, exported?.id)
    })
  return open([])
}

type Task = { part: Part; key: string; slice: Slice }

/**
 * Runs the parts on all connections at the same time, each range as one task. Returns the same
 * result for each number of connections. Each result is saved in the journal; a saved result is not
 * computed again.
 */
export const runParts = async (
  connections: readonly Queryable[],
  parts: readonly Part[],
  { rows = ROWS_AT_ONCE, journal = NO_JOURNAL, onProgress = () => {} }: RunOptions = {},
): Promise<Outcome> => {
  const plan = await planRanges(connections, parts, rows, journal.plan)
  journal.savePlan(plan)
  const tasks = parts.map((part) => tasksOf(part, plan[part.name]))
  const ranges = Object.values(plan).reduce((sum, { length }) => sum + length + 1, 0)
  const entries = ((plan.entries?.length ?? 0) + 1) * rows
  const found = new Map(journal.found)
  const open = tasks.flat().filter(({ key }) => !found.has(key))
  const weigh = (task: Task) => (isWhole(task) ? Math.max(1, ranges * WHOLE_SHARE) : 1)
  const all = open.reduce((sum, task) => sum + weigh(task), 0)
  let done = 0
  await share(connections, open, async (sql, task) => {
    onProgress({ part: task.part.name, share: done / all, entries })
    await (isWhole(task) ? readWholeTables(sql) : readByIndex(sql))
    const result = await task.part.run(sql, task.slice)
    if (!task.part.isSmall) journal.saveFound(task.key, result)
    found.set(task.key, result)
    keepFirst(tasks.find((ofPart) => ofPart[0]?.part === task.part) ?? [], found)
    done += weigh(task)
  })
  return merge(tasks.map((ofPart) => ofPart.flatMap(({ key }) => found.get(key) ?? [])))
}

const isWhole = ({ part }: Task): boolean => !part.ranges && !part.isSmall

/** Gives each connection the next item as soon as it has finished an item. */
const share = async <Item>(
  connections: readonly Queryable[],
  items: readonly Item[],
  work: (sql: Queryable, item: Item) => Promise<void>,
): Promise<void> => {
  const waiting = items.values()
  let failed = false
  await Promise.all(
    connections.map(async (sql) => {
      for (const item of waiting) {
        if (failed) return
        await work(sql, item).catch((error) => {
          failed = true
          throw error
        })
      }
    }),
  )
}

/** Keeps the ranges of an earlier plan, and divides the rows after them. */
const planRanges = async (
  connections: readonly Queryable[],
  parts: readonly Part[],
  rows: number,
  earlier: Plan,
): Promise<Plan> => {
  const plan: Plan = {}
  await share(connections, parts, async (sql, { name, ranges }) => {
    if (!ranges) return
    await readByIndex(sql)
    const { table, column, rows: ids, above = null } = ranges
    const ends = earlier[name] ?? []
    const after = ends.at(-1) ?? (above === null ? null : String(above))
    const more = await sql<{ end: string }[]>`
      select id::text as end from (
        select ${sql(column)} as id, row_number() over (order by ${sql(column)}) as nr
        from ${sql(table)} where true ${among(sql, column, { [ids]: { after, upTo: null } }, ids)}
      ) numbered
      where nr % ${rows} = 0 group by id order by id`
    plan[name] = [...ends, ...more.map(({ end }) => end)]
  })
  return plan
}

const tasksOf = (part: Part, ends: readonly string[] = []): Task[] =>
  [...ends, null].map((upTo, nr) => {
    const after = nr === 0 ? (part.ranges?.above?.toString() ?? null) : (ends[nr - 1] ?? null)
    const slice = part.ranges ? { [part.ranges.rows]: { after, upTo } } : {}
    return { part, slice, key: keyOf(part.name, nr) }
  })

/** The key of a result in the journal. */
export const keyOf = (part: string, nr: number): string => `${part} ${nr}`

/** Bounds the memory: removes all differences of a part except the first `MOST_DIFFERENCES`. */
const keepFirst = (ofPart: readonly Task[], found: Map<string, Found>): void => {
  let left = MOST_DIFFERENCES
  for (const { key } of ofPart) {
    const result = found.get(key)
    if (!result) continue
    if (result.differences.length > left) {
      found.set(key, { ...result, differences: result.differences.slice(0, left) })
    }
    left -= Math.min(left, result.differences.length)
  }
}

/** If several parts or ranges report the same value, only the first counts. */
const merge = (parts: readonly (readonly Found[])[]): Outcome => {
  const differences = new Map<string, Difference>()
  const counts: Record<string, number> = {}
  for (const found of parts.flat()) {
    for (const difference of found.differences) {
      const key = `${difference.what} ${difference.id}`
      if (!differences.has(key)) differences.set(key, difference)
    }
    for (const [name, count] of Object.entries(found.counts ?? {})) {
      counts[name] = (counts[name] ?? 0) + count
    }
  }
  const isCut = parts.some(
    (found) => found.flatMap(({ differences }) => differences).length >= MOST_DIFFERENCES,
  )
  return { differences: [...differences.values()], counts, isCut }
}
