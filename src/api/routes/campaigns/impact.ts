import { z } from 'zod'
import {
  getImpact,
  type ImpactView,
  type ListedImpactView,
  ListImpact,
  listImpact,
  MetricFields,
  metricsOf,
  ReportFields,
  ReportImpact,
  reportImpact,
  VerifyImpact,
  verifyImpact,
} from '../../../domain/campaigns/index.ts'
import { StoredEvidence } from '../../../domain/shared/index.ts'
import { pageAnswer, pageOf, succeed, success } from '../../../edge/answer/answers.ts'
import { route } from '../../../edge/route.ts'
import { Amount, EVIDENCE, Id, Time, toAmountOrNull } from '../../../edge/schemas.ts'
import { jsonDecimal } from '../../../kernel/formats/json.ts'
import { IMPACT_STATUSES } from '../../../kernel/statuses.ts'
import { EXAMPLE_EVIDENCE, EXAMPLE_ID } from '../../openapi/samples.ts'

const REPORTED = 'Claims of the reporter; `status` says whether a verifier has confirmed them.'

/** The schema of an impact report whose metrics have the given schema. */
const reportWith = <T extends z.ZodType>(metric: T) =>
  z.object({
    id: Id,
    campaignId: Id,
    reporterId: Id,
    category: z.string().nullable(),
    beneficiaries: z
      .object({ direct: z.int().nullable(), indirect: z.int().nullable() })
      .nullable()
      .describe(REPORTED),
    status: z.enum(IMPACT_STATUSES).meta({
      description:
        '`verified` if a verifier has confirmed the report. This service measures nothing.',
    }),
    verifierId: Id.nullable(),
    evidence: StoredEvidence.describe(EVIDENCE),
    verifiedAt: Time.nullable(),
    createdAt: Time,
    metrics: z.array(metric).describe(REPORTED),
  })

const MEASURED = { unit: z.string().nullable(), verificationMethod: z.string().nullable() }

const ImpactMetrics = reportWith(
  z.object({
    name: z.string(),
    baseline: Amount.nullable(),
    current: Amount,
    target: Amount.nullable(),
    ...MEASURED,
  }),
).meta({ id: 'ImpactMetrics' })

const V1ImpactMetrics = reportWith(z.object({ name: z.string(), value: Amount, ...MEASURED })).meta(
  { id: 'V1ImpactMetrics' },
)

/** In a list, an impact report has no evidence. */
const ListedImpactMetrics = ImpactMetrics.omit({ evidence: true }).meta({
  id: 'ListedImpactMetrics',
})

const toImpactBody = (impact: ListedImpactView) => ({
  ...impact,
  metrics: impact.metrics.map((metric) => ({
    ...metric,
    baseline: toAmountOrNull(metric.baseline),
    current: jsonDecimal(metric.current),
    target: toAmountOrNull(metric.target),
  })),
})

/** In `/v1` a metric has only one number, `value`. In `/api` this number is the field `current`. */
const toV1ImpactBody = (impact: ImpactView) => ({
  ...impact,
  metrics: impact.metrics.map(({ name, current, unit, verificationMethod }) => ({
    name,
    value: jsonDecimal(current),
    unit,
    verificationMethod,
  })),
})

const V1ReportImpact = z.strictObject({
  ...ReportFields,
  metrics: metricsOf(
    z
      .strictObject({
        name: MetricFields.name,
        value: MetricFields.number,
        unit: MetricFields.unit,
        verificationMethod: MetricFields.verificationMethod,
      })
      .transform(({ value, ...metric }) => ({ ...metric, current: value })),
  ),
})

type Report = {
  operationId: string
  body: z.ZodType<ReportImpact>
  /** The numbers of two example metrics: one with the required fields, one with all fields. */
  metrics: { minimal: object; full: object }
  content: string
  schema: z.ZodType
  toBody: (impact: ImpactView) => unknown
}

const report = (
  path: '/api/impactmetrics' | '/v1/impact/metrics',
  { operationId, body, metrics, content, schema, toBody }: Report,
) =>
  route.post(path, {
    operationId,
    summary: 'Report what your campaign has achieved.',
    auth: 'verified',
    scope: 'impact:write',
    body,
    examples: {
      minimal: { campaignId: EXAMPLE_ID, metrics: [{ name: 'Wells', ...metrics.minimal }] },
      full: {
        campaignId: EXAMPLE_ID,
        category: 'water',
        metrics: [
          { name: 'Water delivered', ...metrics.full, unit: 'm³', verificationMethod: 'metered' },
        ],
        beneficiaries: { direct: 1200, indirect: 4000 },
      },
    },
    answers: { 201: success('The report, not verified yet.', { [content]: schema }) },
    errors: ['not_found'],
    handler: async ({ ctx, body }) => {
      const impact = await reportImpact(ctx, body)
      return succeed(
        { [content]: toBody(impact) },
        { location: `/api/impactmetrics/${impact.campaignId}/${impact.id}` },
      )
    },
  })

export const v1ImpactOperations = () => [
  report('/v1/impact/metrics', {
    operationId: 'v1ReportImpact',
    body: V1ReportImpact,
    metrics: { minimal: { value: 2 }, full: { value: 1250.5 } },
    content: 'data',
    schema: V1ImpactMetrics,
    toBody: toV1ImpactBody,
  }),
]

export const impactOperations = () => [
  report('/api/impactmetrics', {
    operationId: 'reportImpact',
    body: ReportImpact,
    metrics: { minimal: { current: 2 }, full: { baseline: 0, current: 1250.5, target: '4000' } },
    content: 'impactMetrics',
    schema: ImpactMetrics,
    toBody: toImpactBody,
  }),
  route.get('/api/impactmetrics/:campaignId', {
    operationId: 'listImpact',
    summary: 'Reports of a campaign, newest first; `from` and `to` are included.',
    auth: 'optional',
    query: ListImpact,
    answers: { 200: pageOf('impactMetrics', ListedImpactMetrics) },
    handler: async ({ ctx, params, query, url }) =>
      pageAnswer(
        'impactMetrics',
        await listImpact(ctx, params.campaignId, query),
        url,
        toImpactBody,
      ),
  }),
  route.get('/api/impactmetrics/:campaignId/:id', {
    operationId: 'getImpact',
    summary: 'One report of a campaign, with the evidence of its verification.',
    auth: 'optional',
    answers: { 200: { description: 'The report.', schema: ImpactMetrics } },
    handler: async ({ ctx, params }) => ({ body: toImpactBody(await getImpact(ctx, params)) }),
  }),
  route.post('/api/impactmetrics/:id/verify', {
    operationId: 'verifyImpact',
    summary: 'Confirm a report with evidence, as a verifier who is not its reporter.',
    auth: 'verified',
    scope: 'milestones:verify',
    body: VerifyImpact,
    examples: { minimal: { evidence: EXAMPLE_EVIDENCE } },
    answers: { 200: success('The report, verified.', { impactMetrics: ImpactMetrics }) },
    errors: ['conflict'],
    handler: async ({ ctx, params, body }) =>
      succeed({ impactMetrics: toImpactBody(await verifyImpact(ctx, params.id, body)) }),
  }),
]
