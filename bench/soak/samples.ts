import { existsSync, readFileSync } from 'node:fs'
import type { Queryable } from '../../src/db/client.ts'
import { readProc } from '../support/process-memory.ts'
import { quantile, rounded } from '../support/statistics.ts'
import { type Row, table } from '../support/table.ts'
import type { Times } from './load.ts'
import type { Memory } from './memory.ts'

/** A process of the service. It writes its memory into `memoryFile`. */
export type Watched = { name: string; pid: number; memoryFile: string }

export type Sample = {
  atS: number
  processes: ({ name: string } & Memory)[]
  /** The memory that only one process of PostgreSQL has, summed up. */
  postgresMb: number
  connections: number
  donations: number
  databaseMb: number
  tables: { name: string; mb: number; rows: number; dead: number }[]
  recordMs: number
  listMs: number
}

const LARGEST = 6
const BYTES_IN_MB = 1_000_000
const S_IN_HOUR = 3_600
const IN_95_PERCENT = 1.96

export const takeSample = async (
  sql: Queryable,
  watched: readonly Watched[],
  facts: { atS: number; postgresPid: number; donations: number; times: Times },
): Promise<Sample> => {
  const tables = await sql<Sample['tables']>`
    select relname as name, pg_total_relation_size(relid) / 1e6 as mb,
           n_live_tup::int as rows, n_dead_tup::int as dead
    from pg_stat_user_tables
    order by pg_total_relation_size(relid) desc, relname limit ${LARGEST}`
  const [row] = await sql<{ connections: number; mb: number }[]>`
    select pg_database_size(current_database()) / 1e6 as mb,
      (select count(*)::int from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()) as connections`
  return {
    atS: facts.atS,
    processes: watched.map(({ name, memoryFile }) => ({ name, ...memoryIn(memoryFile) })),
    postgresMb: privateMbOf(facts.postgresPid),
    connections: row?.connections ?? 0,
    donations: facts.donations,
    databaseMb: Number(row?.mb ?? 0),
    tables: tables.map((one) => ({ ...one, mb: Number(one.mb) })),
    recordMs: quantile(facts.times.record, 0.99),
    listMs: quantile(facts.times.list, 0.99),
  }
}

/** The memory that a process has written, or 0 if it has not written any yet. */
const memoryIn = (file: string): Memory =>
  existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as Memory)
    : { residentMb: 0, inUseMb: 0 }

/** The private memory of a process and its children (proc_pid_smaps_rollup). */
const privateMbOf = (pid: number): number => {
  const children = readProc(`/proc/${pid}/task/${pid}/children`)?.match(/\d+/g) ?? []
  const kb = [String(pid), ...children]
    .flatMap((one) => [
      ...(readProc(`/proc/${one}/smaps_rollup`) ?? '').matchAll(/^Private_\w+:\s+(\d+) kB$/gm),
    ])
    .reduce((sum, [, each]) => sum + Number(each), 0)
  return (kb * 1_024) / BYTES_IN_MB
}

export const lineOf = (sample: Sample): string =>
  [
    `${rounded(sample.atS / 60, 1)} min`,
    ...sample.processes.map(
      ({ name, residentMb, inUseMb }) =>
        `${name} ${rounded(residentMb)} MB, ${inUseMb.toFixed(1)} in use`,
    ),
    `PostgreSQL ${rounded(sample.postgresMb)} MB, ${sample.connections} connections, ${rounded(sample.databaseMb)} MB of data`,
    `${sample.donations} donations`,
    `dead rows: ${sample.tables.map(({ name, dead }) => `${name} ${dead}`).join(', ')}`,
    `p99 record ${rounded(sample.recordMs)} ms, list ${rounded(sample.listMs)} ms`,
  ].join(' | ')

export type Slope = { what: string; perHour: number; error: number }

/** The slope of values over time by least squares, per hour, with its standard error. */
export const slopeOf = (what: string, points: readonly { atS: number; value: number }[]): Slope => {
  const mean = (pick: (point: { atS: number; value: number }) => number) =>
    points.reduce((sum, point) => sum + pick(point), 0) / points.length
  const [x, y] = [mean(({ atS }) => atS), mean(({ value }) => value)]
  const spread = points.reduce((sum, { atS }) => sum + (atS - x) ** 2, 0)
  const slope = points.reduce((sum, { atS, value }) => sum + (atS - x) * (value - y), 0) / spread
  const rest = points.reduce((sum, { atS, value }) => sum + (value - y - slope * (atS - x)) ** 2, 0)
  const error = Math.sqrt(rest / Math.max(1, points.length - 2) / spread)
  return { what, perHour: slope * S_IN_HOUR, error: error * S_IN_HOUR }
}

/** Whether a slope is above a limit with 95 % certainty, and not only by chance. */
export const isAbove = ({ perHour, error }: Slope, limit: number): boolean =>
  perHour - IN_95_PERCENT * error > limit

/** The slopes of each process: of its resident memory, and of what it uses. */
export const slopesOf = (samples: readonly Sample[]): Slope[] =>
  (samples[0]?.processes ?? []).flatMap(({ name }, index) =>
    (['residentMb', 'inUseMb'] as const).map((kind) =>
      slopeOf(
        `${name}, ${kind === 'residentMb' ? 'resident' : 'in use'}`,
        samples.map(({ atS, processes }) => ({ atS, value: processes[index]?.[kind] ?? 0 })),
      ),
    ),
  )

/** The first sample after the warm-up beside the last one. */
export const startAndEnd = (samples: readonly Sample[]): string => {
  const [start, end] = [samples[0], samples.at(-1)]
  if (!start || !end) return ''
  const rows: Row[] = [
    ...start.processes.flatMap(({ name, residentMb, inUseMb }, index): Row[] => {
      const last = end.processes[index]
      return [
        [`${name}, resident MB`, residentMb.toFixed(1), (last?.residentMb ?? 0).toFixed(1)],
        [`${name}, MB in use`, inUseMb.toFixed(1), (last?.inUseMb ?? 0).toFixed(1)],
      ]
    }),
    ['PostgreSQL, private MB', rounded(start.postgresMb), rounded(end.postgresMb)],
    ['connections', start.connections, end.connections],
    ['donations', start.donations, end.donations],
    ['MB of data', rounded(start.databaseMb), rounded(end.databaseMb)],
    ['p99 of recording, ms', rounded(start.recordMs), rounded(end.recordMs)],
    ['p99 of a list, ms', rounded(start.listMs), rounded(end.listMs)],
    ...end.tables.map(({ name, ...last }): Row => {
      const first = start.tables.find((one) => one.name === name)
      const shown = (one: { mb: number; rows: number; dead: number } | undefined) =>
        one ? `${one.mb.toFixed(1)} MB, ${one.rows} rows, ${one.dead} dead` : ''
      return [name, shown(first), shown(last)]
    }),
  ]
  return table(
    ['', `after ${rounded(start.atS / 60)} min`, `after ${rounded(end.atS / 60)} min`],
    rows,
  )
}

export const slopeTable = (slopes: readonly Slope[]): string =>
  table(
    ['memory', 'MB/hour', '± (standard error)'],
    slopes.map(({ what, perHour, error }) => [what, perHour.toFixed(2), error.toFixed(2)]),
  )
