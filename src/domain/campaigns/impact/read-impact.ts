import { z } from 'zod'
import type { Queryable } from '../../../db/client.ts'
import type { Context } from '../../../db/context.ts'
import type { ImpactMetrics } from '../../../db/schema/impact.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { JsonNumber, parseExactJson } from '../../../kernel/formats/json.ts'
import { withoutExponent } from '../../../kernel/money/decimal.ts'
import { type Page, readPage, type StoredEvidence } from '../../shared/index.ts'
import { getCampaign } from '../campaign/get-campaign.ts'
import type { ListImpact } from './schemas.ts'

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

/** A measured quantity. Its numbers are decimal texts, so that they are never rounded. */
type MetricView = z.output<typeof Metric>

export type ImpactView = Omit<ImpactMetrics, 'metrics' | 'evidence'> & {
  metrics: MetricView[]
  evidence: StoredEvidence
}

export type ListedImpactView = Omit<ImpactView, 'evidence'>

/** `metrics` is JSON text, because postgres.js would round its numbers to doubles. */
export type ImpactRow = Omit<ImpactView, 'metrics'> & { metrics: string }
type ListedImpactRow = Omit<ImpactRow, 'evidence'>

export const impactColumns = (sql: Queryable) => sql`${listedColumns(sql)}, evidence`

const listedColumns = (sql: Queryable) => sql`
  id, campaign_id, reporter_id, category, metrics::text as metrics, beneficiaries, status,
  verifier_id, verified_at, created_at`

export const toImpactView = (row: ImpactRow): ImpactView => ({
  ...toListedImpact(row),
  evidence: row.evidence,
})

const toListedImpact = (row: ListedImpactRow): ListedImpactView => ({
  ...row,
  metrics: Metrics.parse(parseExactJson(row.metrics)),
})

export const unknownReport = () => new DomainError('not_found', 'There is no such impact report.')

/**
 * Lists the reports of a campaign that were created from `from` to `to` (included), newest first.
 *
 * @throws DomainError `invalid_cursor` for a wrong cursor, `not_found` for an unknown campaign
 */
export const listImpact = async (
  ctx: Context,
  campaignId: string,
  query: ListImpact,
): Promise<Page<ListedImpactView>> => {
  const { sql } = ctx
  const campaign = await getCampaign(ctx, campaignId)
  const chosen = sql`
    select id, created_at as at from impact_metrics
    where campaign_id = ${campaign.id}
      ${query.from === undefined ? sql`` : sql`and created_at >= ${query.from}`}
      ${query.to === undefined ? sql`` : sql`and created_at <= ${query.to}`}`
  return readPage(ctx, query, {
    chosen,
    rowsOf: (ids) => sql<ListedImpactRow[]>`
      select ${listedColumns(sql)} from impact_metrics where id = any(${ids}::uuid[])`,
    toItem: toListedImpact,
  })
}

/**
 * Returns a report of a campaign that the caller may see.
 *
 * @throws DomainError `not_found` if the caller may not see the campaign, or it has no such report
 */
export const getImpact = async (
  ctx: Context,
  ids: { campaignId: string; id: string },
): Promise<ImpactView> => {
  const campaign = await getCampaign(ctx, ids.campaignId)
  const [row] = await ctx.sql<ImpactRow[]>`
    select ${impactColumns(ctx.sql)} from impact_metrics
    where id = ${ids.id} and campaign_id = ${campaign.id}`
  if (!row) throw unknownReport()
  return toImpactView(row)
}
