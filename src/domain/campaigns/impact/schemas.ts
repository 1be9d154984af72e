import { z } from 'zod'
import { dayOrMoment, decimalTextOf, Evidence, PageQuery } from '../../shared/index.ts'

const MAX_METRICS = 50
/** The largest size of a report's metrics as JSON, in bytes. One page lists up to 100 reports. */
export const MAX_METRICS_BYTES = 8_000
/** The exponent has at most two digits, because jsonb would write out a larger number in full. */
const DECIMAL = /^-?\d{1,78}(?:\.\d{1,78})?(?:[eE][+-]?\d{1,2})?$/

/** A schema for a measured number, which can be negative. The result is its text, not rounded. */
const decimalText = z
  .unknown()
  .transform((value, context) => {
    const text = decimalTextOf(value)
    if (text !== undefined && DECIMAL.test(text)) return text
    context.addIssue({
      code: 'custom',
      message: 'must be a decimal number, as number or text',
    })
    return z.NEVER
  })
  .meta({
    format: 'decimal',
    description: 'A number, exact: a JSON number or a decimal text.',
    anyOf: [
      { type: 'number' },
      { type: 'string', pattern: '^-?\\d{1,78}(\\.\\d{1,78})?([eE][+-]?\\d{1,2})?$' },
    ],
    examples: [12.5],
  })

const text = (max: number) => z.string().trim().min(1).max(max)
const people = z.int().min(0)

/** The schemas for the fields of a metric. A route may use other names for these fields. */
export const MetricFields = {
  name: text(200),
  number: decimalText,
  unit: text(40).optional(),
  verificationMethod: text(500).optional(),
} as const

/** The fields of a report without its metrics. `/api` and `/v1` use the same field names. */
export const ReportFields = {
  campaignId: z.uuid(),
  category: text(60).optional(),
  beneficiaries: z
    .strictObject({ direct: people.optional(), indirect: people.optional() })
    .optional()
    .describe('The number of people, directly and indirectly.'),
} as const

export const metricsOf = <T extends z.ZodType>(metric: T) =>
  z
    .array(metric)
    .min(1)
    .max(MAX_METRICS)
    .describe(`The metrics together have at most ${MAX_METRICS_BYTES} bytes as JSON.`)

export const ReportImpact = z.strictObject({
  ...ReportFields,
  metrics: metricsOf(
    z.strictObject({
      name: MetricFields.name,
      baseline: MetricFields.number.optional(),
      current: MetricFields.number,
      target: MetricFields.number.optional(),
      unit: MetricFields.unit,
      verificationMethod: MetricFields.verificationMethod,
    }),
  ),
})
export type ReportImpact = z.output<typeof ReportImpact>

export const VerifyImpact = z.strictObject({ evidence: Evidence })
export type VerifyImpact = z.output<typeof VerifyImpact>

/** Selects the reports that were created from `from` to `to`. Both times are included. */
export const ListImpact = PageQuery.extend({
  from: dayOrMoment('T00:00:00.000Z').optional(),
  to: dayOrMoment('T23:59:59.999Z').optional(),
}).refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
  path: ['to'],
  error: 'must not be before `from`',
})
export type ListImpact = z.output<typeof ListImpact>
