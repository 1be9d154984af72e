import { z } from 'zod'
import { StoredEvidence } from '../../domain/evidence.ts'
import {
  getImpact,
  type ImpactView,
  type ListedImpactView,
  ListImpact,
  listImpact,
  type MetricView,
  ReportImpact,
  reportImpact,
  VerifyImpact,
  verifyImpact,
} from '../../domain/impact/index.ts'
import { jsonDecimal } from '../../kernel/json.ts'
import { IMPACT_STATUSES } from '../../kernel/statuses.ts'
import { pageAnswer, pageOf, succeed, success } from '../answers.ts'
import { EXAMPLE_EVIDENCE, EXAMPLE_ID } from '../openapi/samples.ts'
import { route } from '../route.ts'
import { Amount, EVIDENCE, Id, Time } from '../schemas.ts'

export const REPORTED =
  'Claims of the reporter; `status` says whether a verifier has confirmed them.'

/** What a report holds in both families, apart from its metrics. */
export const impactFields = {
  id: Id,
  campaignId: Id,
  reporterId: Id,
  category: z.string().nullable(),
  beneficiaries: z
    .object({ direct: z.int().nullable(), indirect: z.int().nullable() })
    .nullable()
    .meta({ description: REPORTED }),
  status: z.enum(IMPACT_STATUSES).meta({
    description:
      '`verified` where a verifier has confirmed the report. This service measures nothing.',
  }),
  verifierId: Id.nullable(),
  evidence: StoredEvidence.meta({ description: EVIDENCE }),
  verifiedAt: Time.nullable(),
  createdAt: Time,
} as const

const ImpactMetrics = z
  .object({
    ...impactFields,
    metrics: z
      .array(
        z.object({
          name: z.string(),
          baseline: Amount.nullable(),
          current: Amount,
          target: Amount.nullable(),
          unit: z.string().nullable(),
          verificationMethod: z.string().nullable(),
        }),
      )
      .meta({ description: REPORTED }),
  })
  .meta({ id: 'ImpactMetrics' })

/** In a list, which leaves out what verifiers looked at. */
const ListedImpactMetrics = ImpactMetrics.omit({ evidence: true }).meta({
  id: 'ListedImpactMetrics',
})

const toImpactBody = (impact: ImpactView) => ({
  ...toListedBody(impact),
  evidence: impact.evidence,
})

const toListedBody = (impact: ListedImpactView) => ({
  ...impact,
  metrics: impact.metrics.map((metric) => ({
    ...metric,
    baseline: measuredOrNull(metric.baseline),
    current: jsonDecimal(metric.current),
    target: measuredOrNull(metric.target),
  })),
})

/** Where one report is read. */
export const locationOf = ({ campaignId, id }: ImpactView): string =>
  `/api/impactmetrics/${campaignId}/${id}`

const measuredOrNull = (decimal: MetricView['baseline']): unknown =>
  decimal === null ? null : jsonDecimal(decimal)

export const impactOperations = () => [
  route.post('/api/impactmetrics', {
    operationId: 'reportImpact',
    summary: 'Report what your campaign has achieved.',
    auth: 'verified',
    scope: 'impact:write',
    body: ReportImpact,
    examples: {
      minimal: { campaignId: EXAMPLE_ID, metrics: [{ name: 'Wells', current: 2 }] },
      full: {
        campaignId: EXAMPLE_ID,
        category: 'water',
        metrics: [
          {
            name: 'Water delivered',
            baseline: 0,
            current: 1250.5,
            target: '4000',
            unit: 'm³',
            verificationMethod: 'metered',
          },
        ],
        beneficiaries: { direct: 1200, indirect: 4000 },
      },
    },
    answers: { 201: success('The report, unverified.', { impactMetrics: ImpactMetrics }) },
    errors: ['forbidden', 'not_found'],
    handler: async ({ ctx, body }) => {
      const impact = await reportImpact(ctx, body)
      return succeed({ impactMetrics: toImpactBody(impact) }, { location: locationOf(impact) })
    },
  }),
  route.get('/api/impactmetrics/:campaignId', {
    operationId: 'listImpact',
    summary: 'What a campaign reported, newest first; `from` and `to` are included.',
    auth: 'optional',
    query: ListImpact,
    answers: { 200: pageOf('impactMetrics', ListedImpactMetrics) },
    errors: ['invalid_cursor'],
    handler: async ({ ctx, params, query, url }) =>
      pageAnswer(
        'impactMetrics',
        await listImpact(ctx, params.campaignId, query),
        url,
        toListedBody,
      ),
  }),
  route.get('/api/impactmetrics/:campaignId/:id', {
    operationId: 'getImpact',
    summary: 'One report of a campaign, with the evidence that it was verified by.',
    auth: 'optional',
    answers: { 200: { description: 'The report.', schema: ImpactMetrics } },
    handler: async ({ ctx, params }) => ({ body: toImpactBody(await getImpact(ctx, params)) }),
  }),
  route.post('/api/impactmetrics/:id/verify', {
    operationId: 'verifyImpact',
    summary: 'Confirm a report with evidence, as a verifier who has no part in it.',
    auth: 'verified',
    scope: 'milestones:verify',
    body: VerifyImpact,
    examples: { minimal: { evidence: EXAMPLE_EVIDENCE } },
    answers: { 200: success('The report, verified.', { impactMetrics: ImpactMetrics }) },
    errors: ['forbidden', 'conflict'],
    handler: async ({ ctx, params, body }) =>
      succeed({ impactMetrics: toImpactBody(await verifyImpact(ctx, params.id, body)) }),
  }),
]
