import type { Context } from '../../../db/context.ts'
import { withTransaction } from '../../../db/transaction.ts'
import { mayActFor } from '../../../kernel/actor.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/formats/ids.ts'
import { jsonDecimal } from '../../../kernel/formats/json.ts'
import { requireUser } from '../../shared/index.ts'
import { getCampaign } from '../campaign/get-campaign.ts'
import { keepCampaign } from '../campaign/lock-campaign.ts'
import { type ImpactRow, type ImpactView, impactColumns, toImpactView } from './read-impact.ts'
import { MAX_METRICS_BYTES, type ReportImpact } from './schemas.ts'

/**
 * Stores a report by the campaign's creator. The report still needs a verification.
 *
 * @throws DomainError `unauthenticated` if no user is signed in, `not_found` for an unknown
 *   campaign, `forbidden` for another user's campaign, `invalid_input` above MAX_METRICS_BYTES
 */
export const reportImpact = async (ctx: Context, input: ReportImpact): Promise<ImpactView> => {
  const user = requireUser(ctx)
  const campaign = await getCampaign(ctx, input.campaignId)
  if (!mayActFor(user, campaign.creatorId)) {
    throw new DomainError('forbidden', "Only the campaign's creator can report its impact.")
  }
  const now = ctx.clock.now()
  const people = input.beneficiaries && { direct: null, indirect: null, ...input.beneficiaries }
  return withTransaction(ctx, async (ctx) => {
    await keepCampaign(ctx, campaign.id)
    const [row] = await ctx.sql<ImpactRow[]>`
      insert into impact_metrics
        (id, campaign_id, reporter_id, category, metrics, beneficiaries, created_at)
      select ${newId(now.getTime())}::uuid, ${campaign.id}::uuid, ${user.userId}::uuid,
             ${input.category ?? null}::text, given.metrics,
             ${people ? ctx.sql.json(people) : null}::jsonb, ${now}::timestamptz
      from (select ${metricsJson(input.metrics)}::text::jsonb as metrics) given
      where octet_length(given.metrics::text) <= ${MAX_METRICS_BYTES}
      returning ${impactColumns(ctx.sql)}`
    if (!row) throw tooLong()
    return toImpactView(row)
  })
}

/** Formats the metrics as JSON. The numbers are written exactly as given, without rounding. */
const metricsJson = (metrics: ReportImpact['metrics']): string =>
  JSON.stringify(
    metrics.map(({ name, baseline, current, target, unit, verificationMethod }) => ({
      name,
      baseline: numberOrNull(baseline),
      current: numberOrNull(current),
      target: numberOrNull(target),
      unit: unit ?? null,
      verificationMethod: verificationMethod ?? null,
    })),
  )

/** Removes leading zeros, because JSON does not allow them in a number (RFC 8259, section 6). */
const numberOrNull = (decimal: string | undefined): unknown =>
  decimal === undefined ? null : jsonDecimal(decimal.replace(/^(-?)0+(?=\d)/, '$1'))

const tooLong = () => {
  const message = `may have at most ${MAX_METRICS_BYTES} bytes together, as JSON`
  return new DomainError('invalid_input', `The metrics ${message}.`, [{ path: 'metrics', message }])
}
