import type { Difference } from '../../../shared/index.ts'
import { type Check, differenceOf } from './check-parts.ts'

/**
 * Reports each milestone whose values contradict each other or the ledger:
 * - its status does not fit the raised amount;
 * - it is verified or released without a verifier's approval, or without the event of its escrow;
 * - its position or cumulative amount does not fit the other milestones.
 */
export const checkMilestones: Check = (sql, most) =>
  sql<Difference[]>`
    with placed as (
      select milestone.*, row_number() over before - 1 as place,
             sum(milestone.amount) over before as running
      from milestone
      window before as (partition by campaign_id order by position)
    ), decided as (
      select milestone_id, count(distinct round) filter (where decision = 'rejected') as rejections,
             max(round) filter (where decision = 'rejected') + 1 as next_round,
             array_agg(round) filter (where decision = 'completed') as approved
      from milestone_verification group by milestone_id
    ), followed as (
      select campaign_id, (fields ->> 'milestone')::int as position,
             bool_or(kind = 'MilestoneReleased') as is_released,
             max((fields ->> 'round')::int) filter (where kind = 'MilestoneRejected') + 1
               as next_round
      from escrow_event
      where kind in ('MilestoneReleased', 'MilestoneRejected') and settled_at is not null
      group by 1, 2
    )
    select ${differenceOf(sql, 'milestone', 'placed')}
    from placed
    left join campaign on campaign.id = placed.campaign_id
    left join campaign_ledger_total ledger on ledger.campaign_id = placed.campaign_id
    left join decided on decided.milestone_id = placed.id
    left join campaign_escrow escrow on escrow.campaign_id = placed.campaign_id
    left join followed
      on followed.campaign_id = placed.campaign_id and followed.position = placed.position
    cross join lateral (select
      coalesce(ledger.raised, 0) >= placed.cumulative as is_reached,
      case when escrow.campaign_id is not null and placed.status = 'released'
           then coalesce(followed.is_released, false)
           else coalesce(placed.verification_round = any(decided.approved), false) end
        as is_approved) has
    cross join lateral (values
      ('campaign', placed.campaign_id::text, campaign.id::text),
      ('position', placed.position::text, placed.place::text),
      ('cumulative amount', placed.cumulative::text, placed.running::text),
      ('target', campaign.target_amount::text,
        greatest(campaign.target_amount, placed.cumulative)::text),
      ('verification round', placed.verification_round::text,
        (case when escrow.campaign_id is null then coalesce(decided.rejections, 0)
              else greatest(decided.next_round, followed.next_round, 0) end)::text),
      ('status', placed.status, case
        when followed.is_released then 'released'
        when placed.status in ('pending', 'reached') or (
          placed.status = 'rejected' and placed.verification_round = 0)
        then case when has.is_reached then 'reached' else 'pending' end
        when placed.status in ('verified', 'released') and not has.is_approved
        then 'not approved'
        else placed.status end)
    ) differing (what, stored, recomputed)
    where differing.stored is distinct from differing.recomputed
    limit ${most}`
