import { z } from 'zod'
import { withTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import { DomainError } from '../../kernel/errors.ts'
import { emit } from '../../outbox/emit.ts'
import type { Context } from '../context.ts'
import { Evidence } from '../evidence.ts'
import { notify } from '../notification/index.ts'
import { type ImpactRow, type ImpactView, impactColumns, toImpactView } from './impact-view.ts'

export const VerifyImpact = z.strictObject({ evidence: Evidence })
export type VerifyImpact = z.output<typeof VerifyImpact>

type Subject = { reporterId: string; creatorId: string; title: string }

/**
 * Confirms a report with evidence, once: by a verifier or an administrator who neither reported it
 * nor runs the campaign. `impact.verified` and the creator's notification are written with it.
 *
 * @throws DomainError `unauthenticated`, `forbidden`, `not_found`, `conflict` if it is verified
 */
export const verifyImpact = async (
  ctx: Context,
  id: string,
  { evidence }: VerifyImpact,
): Promise<ImpactView> => {
  const verifierId = verifierOf(ctx.actor)
  return withTransaction(ctx, async (ctx) => {
    const [subject] = await ctx.sql<Subject[]>`
      select impact_metrics.reporter_id, campaign.creator_id, campaign.title
      from impact_metrics join campaign on campaign.id = impact_metrics.campaign_id
      where impact_metrics.id = ${id}`
    if (!subject) throw new DomainError('not_found', 'There is no such impact report.')
    if (subject.reporterId === verifierId || subject.creatorId === verifierId) {
      throw new DomainError('forbidden', 'You cannot verify your own report.')
    }
    const now = ctx.clock.now()
    const rows = await ctx.sql<ImpactRow[]>`
      update impact_metrics
      set status = 'verified', verifier_id = ${verifierId}, evidence = ${ctx.sql.json(evidence)},
          verified_at = ${now}
      where id = ${id} and status = 'reported'
      returning ${impactColumns(ctx.sql)}`
    const [view] = rows.map(toImpactView)
    if (!view) throw new DomainError('conflict', 'This report has been verified already.')
    await tell(ctx, view, subject, { verifierId, now })
    return view
  })
}

const verifierOf = (actor: Actor): string => {
  if (actor.kind !== 'user') throw new DomainError('unauthenticated', 'Sign in first.')
  if (actor.roles.includes('verifier') || actor.roles.includes('admin')) return actor.userId
  throw new DomainError('forbidden', 'Only verifiers verify impact.')
}

const tell = async (
  ctx: Context,
  view: ImpactView,
  { creatorId, title }: Subject,
  { verifierId, now }: { verifierId: string; now: Date },
): Promise<void> => {
  const about = { campaignId: view.campaignId, impactMetricsId: view.id }
  await emit(ctx, [
    {
      type: 'impact.verified',
      campaignId: view.campaignId,
      audience: [creatorId, view.reporterId, verifierId],
      data: {
        ...about,
        verifiers: [verifierId],
        evidence: view.evidence,
        verifiedAt: now.toISOString(),
      },
    },
  ])
  await notify(ctx, [
    { userId: creatorId, type: 'impact_verified', values: { campaign: title }, data: about },
  ])
}
