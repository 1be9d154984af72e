import { mayActFor } from '../../kernel/actor.ts'
import { DomainError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { getCampaign } from '../campaign/index.ts'
import type { Context } from '../context.ts'
import {
  type ImpactRow,
  type ImpactView,
  impactColumns,
  metricsJson,
  toImpactView,
} from './impact-view.ts'
import type { ReportImpact } from './schemas.ts'

/**
 * Records what a campaign achieved, as its creator reports it: unverified.
 *
 * @throws DomainError `unauthenticated`, `not_found`, `forbidden` for another's campaign
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
  const rows = await ctx.sql<ImpactRow[]>`
    insert into impact_metrics
      (id, campaign_id, reporter_id, category, metrics, beneficiaries, created_at)
    values (${newId(now.getTime())}, ${campaign.id}, ${actor.userId}, ${input.category ?? null},
            ${metricsJson(input.metrics)}::text::jsonb,
            ${beneficiaries ? ctx.sql.json(peopleOf(beneficiaries)) : null}, ${now})
    returning ${impactColumns(ctx.sql)}`
  const [view] = rows.map(toImpactView)
  if (!view) throw new Error('The inserted report was not returned.')
  return view
}

const peopleOf = ({ direct, indirect }: NonNullable<ReportImpact['beneficiaries']>) => ({
  direct: direct ?? null,
  indirect: indirect ?? null,
})
