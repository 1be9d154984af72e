import { withTransaction } from '../../db/transaction.ts'
import { mayActFor } from '../../kernel/actor.ts'
import { DomainError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { getCampaign, keepCampaign } from '../campaign/index.ts'
import type { Context } from '../context.ts'
import {
  type ImpactRow,
  type ImpactView,
  impactColumns,
  metricsJson,
  toImpactView,
} from './impact-view.ts'
import { MAX_METRICS_BYTES, type ReportImpact } from './schemas.ts'

/**
 * Records what a campaign achieved, as its creator reports it: unverified.
 *
 * @throws DomainError `unauthenticated`, `not_found`, `forbidden` for another's campaign,
 * `invalid_input` for metrics that are too long together
 */
export const reportImpact = async (ctx: Context, input: ReportImpact): Promise<ImpactView> => {
  const { actor } = ctx
  if (actor.kind !== 'user') throw new DomainError('unauthenticated', 'Sign in first.')
  const campaign = await getCampaign(ctx, input.campaignId)
  if (!mayActFor(actor, campaign.creatorId)) {
    throw new DomainError('forbidden', "Only the campaign's creator reports its impact.")
  }
  const now = ctx.clock.now()
  const { beneficiaries } = input
  const rows = await withTransaction(ctx, async (ctx) => {
    await keepCampaign(ctx, campaign.id)
    return ctx.sql<ImpactRow[]>`
    insert into impact_metrics
      (id, campaign_id, reporter_id, category, metrics, beneficiaries, created_at)
    select ${newId(now.getTime())}::uuid, ${campaign.id}::uuid, ${actor.userId}::uuid,
           ${input.category ?? null}::text, given.metrics,
           ${beneficiaries ? ctx.sql.json(peopleOf(beneficiaries)) : null}::jsonb,
           ${now}::timestamptz
    from (select ${metricsJson(input.metrics)}::text::jsonb as metrics) given
    where octet_length(given.metrics::text) <= ${MAX_METRICS_BYTES}
    returning ${impactColumns(ctx.sql)}`
  })
  const [view] = rows.map(toImpactView)
  if (!view) throw tooLong()
  return view
}

const tooLong = () => {
  const message = `may have at most ${MAX_METRICS_BYTES} bytes together, as JSON`
  return new DomainError('invalid_input', `The metrics ${message}.`, [{ path: 'metrics', message }])
}

const peopleOf = ({ direct, indirect }: NonNullable<ReportImpact['beneficiaries']>) => ({
  direct: direct ?? null,
  indirect: indirect ?? null,
})
