import type { Context } from '../../../db/context.ts'
import { unpackTerms } from '../../../escrow/terms.ts'
import type { FollowedEvent } from './due-events.ts'
import { namedMilestones } from './named-milestones.ts'

type Rejection = Extract<FollowedEvent, { kind: 'MilestoneRejected' }>

/**
 * Takes over rejections that the escrow recorded. A verifier may send a rejection without this
 * service. The round of the service is never lower than the contract's round; it may be higher,
 * because a rejection that was recorded here is sent together with the next release.
 */
export const settleRejections = async (
  ctx: Context,
  events: readonly Rejection[],
): Promise<void> => {
  if (events.length === 0) return
  const milestones = await namedMilestones(ctx, events)
  const rounds = new Map<string, number>()
  for (const event of events) {
    const id = milestones.get(event.id)?.id
    if (id) rounds.set(id, Math.max(rounds.get(id) ?? 0, event.fields.round + 1))
  }
  const rows = [...rounds].map(([id, round]) => ({ id, round }))
  await ctx.sql`
    update milestone
    set verification_round = row.round, verified_at = null,
        status = case when status = 'released' then status else 'rejected' end
    from jsonb_to_recordset(${ctx.sql.json(rows)}) as row (id uuid, round int)
    where milestone.id = row.id and milestone.verification_round < row.round`
}

/**
 * Sets round and status of milestones after some of their releases or rejections were reverted.
 * Computes both from the settled events, recorded decisions and the raised total that are left.
 */
export const restoreMilestones = async (
  ctx: Context,
  events: readonly Extract<FollowedEvent, { fields: { milestone: number } }>[],
): Promise<void> => {
  const milestones = await namedMilestones(ctx, events)
  const rows = new Map(
    events.flatMap(({ id, terms, fields }) => {
      const milestone = milestones.get(id)
      if (!milestone) return []
      const { verifiers, milestones: agreed } = unpackTerms(terms)
      const required = agreed[fields.milestone]?.required ?? verifiers.length
      return [[milestone.id, { id: milestone.id, verifiers, required }] as const]
    }),
  )
  if (rows.size === 0) return
  await ctx.sql`
    with asked as (
      select * from jsonb_to_recordset(${ctx.sql.json([...rows.values()])})
        as row (id uuid, verifiers jsonb, required int)
    ), state as (
      select milestone.id, asked.verifiers, asked.required, milestone.cumulative,
             milestone.campaign_id,
             exists (
               select from escrow_event event
               where event.campaign_id = milestone.campaign_id and event.kind = 'MilestoneReleased'
                 and event.settled_at is not null
                 and (event.fields ->> 'milestone')::int = milestone.position) as is_released,
             greatest(
               (select max(round) + 1 from milestone_verification
                where milestone_id = milestone.id and decision = 'rejected'),
               (select max((event.fields ->> 'round')::int) + 1 from escrow_event event
                where event.campaign_id = milestone.campaign_id
                  and event.kind = 'MilestoneRejected' and event.settled_at is not null
                  and (event.fields ->> 'milestone')::int = milestone.position),
               0) as round
      from asked join milestone on milestone.id = asked.id
    ), approved as (
      select state.*, coalesce(total.raised, 0) >= state.cumulative as is_reached,
             exists (
               select from milestone_verification verification
               where verification.milestone_id = state.id and verification.round = state.round
                 and verification.decision = 'completed'
                 and state.verifiers ? hex_of(verification.signer)
               group by verification.evidence_hash
               having count(distinct verification.signer) >= state.required) as is_verified
      from state left join campaign_total total on total.campaign_id = state.campaign_id
    )
    update milestone
    set verification_round = approved.round,
        status = case when approved.is_released then 'released'
                      when approved.is_verified then 'verified'
                      when approved.round > 0 then 'rejected'
                      when approved.is_reached then 'reached' else 'pending' end,
        released_at = case when approved.is_released then released_at end,
        verified_at = case when approved.is_verified
                           then coalesce(verified_at, ${ctx.clock.now()}::timestamptz) end
    from approved where milestone.id = approved.id`
}
