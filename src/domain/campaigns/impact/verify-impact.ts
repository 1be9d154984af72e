import type { Context } from '../../../db/context.ts'
import { withTransaction } from '../../../db/transaction.ts'
import { isAdmin } from '../../../kernel/actor.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { emit } from '../../../outbox/emit.ts'
import { notify } from '../../people/index.ts'
import { requireVerifier } from '../../shared/index.ts'
import {
  type ImpactRow,
  type ImpactView,
  impactColumns,
  toImpactView,
  unknownReport,
} from './read-impact.ts'
import type { VerifyImpact } from './schemas.ts'

/**
 * Verifies a report once, with evidence. The caller must be a verifier or an administrator, but not
 * the reporter or the campaign's creator. Emits `impact.verified` and notifies the creator.
 *
 * @throws DomainError `unauthenticated` or `forbidden` for any other caller, `not_found` for an
 *   unknown report or one of a draft that the caller may not see, `conflict` for a verified report
 */
export const verifyImpact = async (
  ctx: Context,
  id: string,
  { evidence }: VerifyImpact,
): Promise<ImpactView> => {
  const { userId: verifierId } = requireVerifier(ctx)
  return withTransaction(ctx, async (ctx) => {
    const [subject] = await ctx.sql<{ reporterId: string; creatorId: string; title: string }[]>`
      select impact_metrics.reporter_id, campaign.creator_id, campaign.title
      from impact_metrics join campaign on campaign.id = impact_metrics.campaign_id
      where impact_metrics.id = ${id} and
        (campaign.status <> 'draft' or creator_id = ${verifierId} or ${isAdmin(ctx.actor)})`
    if (!subject) throw unknownReport()
    const { reporterId, creatorId, title } = subject
    if (reporterId === verifierId || creatorId === verifierId) {
      throw new DomainError('forbidden', 'You cannot verify your own report.')
    }
    const now = ctx.clock.now()
    const [row] = await ctx.sql<ImpactRow[]>`
      update impact_metrics
      set status = 'verified', verifier_id = ${verifierId}, evidence = ${ctx.sql.json(evidence)},
          verified_at = ${now}
      where id = ${id} and status = 'reported'
      returning ${impactColumns(ctx.sql)}`
    if (!row) throw new DomainError('conflict', 'This report is already verified.')
    const { campaignId } = row
    const about = { campaignId, impactMetricsId: row.id }
    await emit(ctx, [
      {
        type: 'impact.verified',
        campaignId,
        audience: [creatorId, reporterId, verifierId],
        data: {
          ...about,
          verifiers: [verifierId],
          evidence: row.evidence,
          verifiedAt: now.toISOString(),
        },
      },
    ])
    await notify(ctx, [
      { userId: creatorId, type: 'impact_verified', values: { campaign: title }, data: about },
    ])
    return toImpactView(row)
  })
}
