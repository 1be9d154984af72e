import type { Queryable } from '../../../../src/db/client.ts'

/** A node of a plan in the output of EXPLAIN (ANALYZE, FORMAT JSON). */
export type PlanNode = {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: PlanNode[]
}

type Explained = { 'QUERY PLAN': { Plan: PlanNode }[] }[]

/** Wraps a database connection: each awaited statement first adds its plan to `plans`. */
export const explaining = (sql: Queryable, plans: PlanNode[]): Queryable => {
  const tag = (...args: Parameters<Queryable>) => {
    const statement = sql(...args)
    const explain = async () => {
      const rows = await sql<Explained>`explain (analyze, format json) ${statement}`
      for (const row of rows) plans.push(...row['QUERY PLAN'].map(({ Plan }) => Plan))
    }
    return new Proxy(statement, {
      get(target, name) {
        const value = Reflect.get(target, name, target)
        if (name === 'then') {
          return (...handlers: Parameters<Promise<unknown>['then']>) =>
            explain().then(() => (target as unknown as Promise<unknown>).then(...handlers))
        }
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  }
  return Object.assign(tag, { json: sql.json, unsafe: sql.unsafe }) as unknown as Queryable
}

/** Lists a node and all nodes below it. */
export const nodesOf = (node: PlanNode): PlanNode[] => [
  node,
  ...(node.Plans ?? []).flatMap(nodesOf),
]

/** The number of rows that a node read from its table, or that it sorted. */
export const rowsRead = (node: PlanNode): number => {
  const rows = node['Node Type'].includes('Sort')
    ? (node.Plans?.[0]?.['Actual Rows'] ?? 0)
    : node['Actual Rows'] +
      (node['Rows Removed by Filter'] ?? 0) +
      (node['Rows Removed by Index Recheck'] ?? 0)
  return rows * node['Actual Loops']
}
