import postgres from 'postgres'
import { appRoleOf } from '../../../../src/db/app-role.ts'
import { arrayTypes, safeInteger } from '../../../../src/db/array-types.ts'
import { createPool, type Database } from '../../../../src/db/pool.ts'
import type { Connection } from '../../../../src/db/statement.ts'
import { nodesOf, type PlanNode } from '../../lists/support/plans.ts'

type Node = PlanNode & {
  'Index Name'?: string
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
}

/** A statement that the server ran. Checks of foreign keys are statements too. */
export type Ran = {
  text: string
  /** The number of 8 kB pages that the statement read, from memory or from a file. */
  pages: number
  /** The tables and indexes from which the statement read most of these pages. */
  reads: string[]
}

/**
 * A pool with one connection and the settings of the service. `ran` collects the statements that
 * the server ran.
 */
export const createExplainedPool = (url: string): { pool: Database; ran: Ran[] } => {
  const ran: Ran[] = []
  const open = () =>
    postgres(url, {
      max: 1,
      fetch_types: false,
      transform: { column: { from: postgres.toCamel } },
      types: {
        ...arrayTypes(),
        bigint: { to: 20, from: [20], serialize: String, parse: safeInteger },
      },
      connection: {
        role: appRoleOf(url),
        // PostgreSQL then uses generic plans from the first run on. By default it does so after
        // five runs.
        plan_cache_mode: 'force_generic_plan',
        session_preload_libraries: 'auto_explain',
        ...settingsOf({ log_min_duration: '0', log_analyze: 'on', log_buffers: 'on' }),
        ...settingsOf({ log_timing: 'off', log_nested_statements: 'on' }),
        ...settingsOf({ log_level: 'notice', log_format: 'json' }),
      },
      onnotice: ({ message = '' }) => {
        if (message.startsWith('duration:')) ran.push(ranOf(message.slice(message.indexOf('{'))))
      },
    }) as Connection
  const idleMs = Number.POSITIVE_INFINITY
  return { pool: createPool({ open, max: 1, answerMs: 60_000, idleMs }), ran }
}

const settingsOf = (settings: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(settings).map(([name, is]) => [`auto_explain.${name}`, is]))

const ranOf = (json: string): Ran => {
  const { 'Query Text': text, Plan } = JSON.parse(json) as { 'Query Text': string; Plan: Node }
  const pages = pagesOf(Plan)
  const reads = (nodesOf(Plan) as Node[])
    .filter((node) => node['Node Type'].includes('Scan') && pagesOf(node) > pages / 4)
    .map((node) => `${node['Node Type']} ${node['Index Name'] ?? node['Relation Name'] ?? ''}`)
  return { text: text.replaceAll(/\s+/g, ' ').trim(), pages, reads }
}

const pagesOf = (node: Node): number => node['Shared Hit Blocks'] + node['Shared Read Blocks']
