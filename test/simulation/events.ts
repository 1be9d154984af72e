import { expect } from 'vitest'
import { MOVED } from '../../src/domain/donations/claim/take-transfer.ts'
import type { Simulation } from './world.ts'

type EventRow = { type: string; subject: string }

/**
 * Whether an event begins or ends a state. Both kinds must alternate, and the first event begins
 * the state.
 */
const TURNS: Readonly<Record<string, 'begins' | 'ends'>> = {
  'donation.completed': 'begins',
  'donation.reversed': 'ends',
  'donation.failed': 'begins',
  'donation.reopened': 'ends',
  'campaign.milestone.reached': 'begins',
  'campaign.funded': 'begins',
  'campaign.threshold.reverted': 'ends',
  'milestone.released': 'begins',
  'milestone.release.reverted': 'ends',
}

/**
 * Checks that events alternate for each donation, threshold and release (for example completed and
 * reversed), and that the last event agrees with the present state. Leaves out donations that lost
 * their transfer to another donation, because they fail for good, with either event. Refunds of an
 * escrow's campaign lower its total after its end, but revert no threshold.
 */
export const checkEvents = async (simulation: Simulation): Promise<void> => {
  const { sql } = simulation.world.ctx
  const events = await sql<EventRow[]>`
    select type,
           case when type like 'milestone.release%' then 'release ' else '' end ||
             coalesce(event.body::jsonb #>> '{data,donationId}',
                      event.body::jsonb #>> '{data,milestoneId}',
                      event.body::jsonb #>> '{data,campaignId}') as subject
    from event
    where type <> 'donation.failed' or event.body::jsonb #>> '{data,reason}' <> ${MOVED}
    order by seq`
  const standing = new Map<string, boolean>()
  for (const { type, subject } of events) {
    const turn = TURNS[type]
    if (turn === undefined) continue
    const stands = standing.get(subject) ?? false
    expect(`${subject} ${type} ${stands}`).toBe(`${subject} ${type} ${turn === 'ends'}`)
    standing.set(subject, turn === 'begins')
  }
  const said = [...standing].flatMap(([subject, stands]) => (stands ? [subject] : [])).sort()
  const true_ = await sql<{ id: string }[]>`
    select id::text from donation
    where status in ('completed', 'partly_refunded', 'refunded')
       or (status = 'failed' and reason <> ${MOVED})
    union all
    select milestone.id::text from milestone
    join campaign_total total using (campaign_id)
    left join campaign_escrow escrow using (campaign_id)
    where case when escrow is null then total.raised >= milestone.cumulative
               else milestone.reached_at is not null end
    union all
    select campaign.id::text from campaign
    join campaign_total total on total.campaign_id = campaign.id
    left join campaign_escrow escrow on escrow.campaign_id = campaign.id
    where case when escrow is null then total.raised >= campaign.target_amount
               else campaign.funded_at is not null end
    union all
    select 'release ' || id from milestone where status = 'released'`
  expect(said).toEqual(true_.map((row) => row.id).sort())
}
