import { z } from 'zod'
import type { Queryable } from '../../db/client.ts'
import type { ImpactMetrics } from '../../db/schema/impact.ts'
import { withoutExponent } from '../../kernel/decimal.ts'
import { DomainError } from '../../kernel/errors.ts'
import { JsonNumber, parseExactJson } from '../../kernel/json.ts'
import type { StoredEvidence } from '../evidence.ts'

const decimal = z.union([
  z.number().transform((value) => withoutExponent(String(value))),
  z.instanceof(JsonNumber).transform(({ source }) => source),
])
const Metric = z.object({
  name: z.string(),
  baseline: decimal.nullable(),
  current: decimal,
  target: decimal.nullable(),
  unit: z.string().nullable(),
  verificationMethod: z.string().nullable(),
})
const Metrics = z.array(Metric)

/** A measured quantity; numbers are decimal text with every digit. */
export type MetricView = z.output<typeof Metric>

export type ImpactView = Omit<ImpactMetrics, 'metrics' | 'evidence'> & {
  metrics: MetricView[]
  evidence: StoredEvidence
}

/** The item of a list: without its evidence. */
export type ListedImpactView = Omit<ImpactView, 'evidence'>

/** `metrics` is read as text, because postgres.js would parse its numbers as doubles. */
export type ImpactRow = Omit<ImpactView, 'metrics'> & { metrics: string }
export type ListedImpactRow = Omit<ImpactRow, 'evidence'>

export const impactColumns = (sql: Queryable) => sql`${listedColumns(sql)}, evidence`

/** The columns of a ListedImpactRow. */
export const listedColumns = (sql: Queryable) => sql`
  id, campaign_id, reporter_id, category, metrics::text as metrics, beneficiaries, status,
  verifier_id, verified_at, created_at`

export const toImpactView = (row: ImpactRow): ImpactView => ({
  ...toListedImpact(row),
  evidence: row.evidence,
})

export const toListedImpact = (row: ListedImpactRow): ListedImpactView => ({
  ...row,
  metrics: Metrics.parse(parseExactJson(row.metrics)),
})

export const unknownReport = () => new DomainError('not_found', 'There is no such impact report.')
