import { z } from 'zod'
import {
  type ImpactView,
  MetricFields,
  metricsOf,
  ReportFields,
  reportImpact,
} from '../../../domain/impact/index.ts'
import { jsonDecimal } from '../../../kernel/json.ts'
import { success } from '../../answers.ts'
import { EXAMPLE_ID } from '../../openapi/samples.ts'
import { route } from '../../route.ts'
import { Amount } from '../../schemas.ts'
import { impactFields, locationOf, REPORTED } from '../impact.ts'

const ReportBody = z.strictObject({
  ...ReportFields,
  metrics: metricsOf(
    z.strictObject({
      name: MetricFields.name,
      value: MetricFields.number,
      unit: MetricFields.unit,
      verificationMethod: MetricFields.verificationMethod,
    }),
  ),
})

const V1ImpactMetrics = z
  .object({
    ...impactFields,
    metrics: z
      .array(
        z.object({
          name: z.string(),
          value: Amount,
          unit: z.string().nullable(),
          verificationMethod: z.string().nullable(),
        }),
      )
      .meta({ description: REPORTED }),
  })
  .meta({ id: 'V1ImpactMetrics' })

/** `/v1` knows one number of a metric: what `/api` calls its current one. */
const toBody = (impact: ImpactView) => ({
  ...impact,
  metrics: impact.metrics.map(({ name, current, unit, verificationMethod }) => ({
    name,
    value: jsonDecimal(current),
    unit,
    verificationMethod,
  })),
})

export const v1ImpactOperations = () => [
  route.post('/v1/impact/metrics', {
    operationId: 'v1ReportImpact',
    summary: 'Report what your campaign has achieved.',
    auth: 'verified',
    scope: 'impact:write',
    body: ReportBody,
    examples: {
      minimal: { campaignId: EXAMPLE_ID, metrics: [{ name: 'Wells', value: 2 }] },
      full: {
        campaignId: EXAMPLE_ID,
        category: 'water',
        metrics: [
          { name: 'Water delivered', value: 1250.5, unit: 'm³', verificationMethod: 'metered' },
        ],
        beneficiaries: { direct: 1200, indirect: 4000 },
      },
    },
    answers: { 201: success('The report, unverified.', { data: V1ImpactMetrics }) },
    errors: ['forbidden', 'not_found'],
    handler: async ({ ctx, body }) => {
      const impact = await reportImpact(ctx, {
        ...body,
        metrics: body.metrics.map(({ value, ...metric }) => ({ ...metric, current: value })),
      })
      return {
        status: 201,
        location: locationOf(impact),
        body: { success: true, data: toBody(impact) },
      }
    },
  }),
]
