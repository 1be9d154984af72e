import { z } from 'zod'
import type { Queryable } from '../../db/client.ts'
import { withoutExponent } from '../../kernel/decimal.ts'
import { JsonNumber, jsonDecimal, parseExactJson } from '../../kernel/json.ts'
import type { ImpactStatus } from '../../kernel/statuses.ts'
import type { StoredEvidence } from '../evidence.ts'
import type { ReportImpact } from './schemas.ts'

/** One measured thing; numbers are decimal text with every digit. */
export type MetricView = {
  name: string
  baseline: string | null
  current: string
  target: string | null
  unit: string | null
  verificationMethod: string | null
}

export type ImpactView = {
  id: string
  campaignId: string
  reporterId: string
  category: string | null
  metrics: MetricView[]
  beneficiaries: { direct: number | null; indirect: number | null } | null
  status: ImpactStatus
  verifierId: string | null
  evidence: StoredEvidence
  verifiedAt: Date | null
  createdAt: Date
}

/** As a list shows it: without its evidence. */
export type ListedImpactView = Omit<ImpactView, 'evidence'>
export type ListedImpactRow = Omit<ImpactRow, 'evidence'>

export type ImpactRow = {
  id: string
  campaignId: string
  reporterId: string
  category: string | null
  /** jsonb as text: parsed by postgres.js its numbers would be doubles. */
  metrics: string
  beneficiaries: { direct: number | null; indirect: number | null } | null
  status: ImpactStatus
  verifierId: string | null
  evidence: StoredEvidence
  verifiedAt: Date | null
  createdAt: Date
}

export const impactColumns = (sql: Queryable) => sql`${listedColumns(sql)}, evidence`

/** The columns of a ListedImpactRow. */
export const listedColumns = (sql: Queryable) => sql`
  id, campaign_id, reporter_id, category, metrics::text as metrics, beneficiaries, status,
  verifier_id, verified_at, created_at`

/** JSON text with each number written digit by digit; jsonb keeps them as `numeric`. */
export const metricsJson = (metrics: ReportImpact['metrics']): string =>
  JSON.stringify(
    metrics.map(({ name, baseline, current, target, unit, verificationMethod }) => ({
      name,
      baseline: numberOrNull(baseline),
      current: jsonDecimal(literalOf(current)),
      target: numberOrNull(target),
      unit: unit ?? null,
      verificationMethod: verificationMethod ?? null,
    })),
  )

const numberOrNull = (decimal: string | undefined): unknown =>
  decimal === undefined ? null : jsonDecimal(literalOf(decimal))

/** A JSON number has no leading zeros (RFC 8259, section 6); a text may. */
const literalOf = (decimal: string): string => decimal.replace(/^(-?)0+(?=\d)/, '$1')

const stored = z.union([
  z.number().transform((value) => withoutExponent(String(value))),
  z.instanceof(JsonNumber).transform(({ source }) => source),
])
const StoredMetrics = z.array(
  z.object({
    name: z.string(),
    baseline: stored.nullable(),
    current: stored,
    target: stored.nullable(),
    unit: z.string().nullable(),
    verificationMethod: z.string().nullable(),
  }),
)

export const toImpactView = (row: ImpactRow): ImpactView => ({
  ...toListedImpact(row),
  evidence: row.evidence,
})

export const toListedImpact = (row: ListedImpactRow): ListedImpactView => ({
  id: row.id,
  campaignId: row.campaignId,
  reporterId: row.reporterId,
  category: row.category,
  metrics: StoredMetrics.parse(parseExactJson(row.metrics)),
  beneficiaries: row.beneficiaries,
  status: row.status,
  verifierId: row.verifierId,
  verifiedAt: row.verifiedAt,
  createdAt: row.createdAt,
})
