import type { Sample } from '../../kernel/ports/metrics.ts'
import type { Context } from '../context.ts'

type Row = { application: string; state: string; count: number }

/** Counts the service's database connections by process name and state, such as `active`. */
export const readConnections = async ({ sql }: Context): Promise<Sample[]> => {
  const rows = await sql<Row[]>`
    select application_name as application, coalesce(state, 'unknown') as state,
           count(*)::int as count
    from pg_stat_activity
    where datname = current_database() and application_name like 'fundproof%'
    group by 1, 2`
  return rows.map(
    ({ application, state, count }): Sample => [
      'fundproof_database_connections',
      { application, state },
      count,
    ],
  )
}
