import { expect } from 'vitest'
import type { Simulation } from './world.ts'

type EventRow = { type: string; subject: string }

/** What an event begins or takes back: the two must take turns, beginning with the first. */
const TURNS: Readonly<Record<string, 'begins' | 'ends'>> = {
  'donation.completed': 'begins',
  'donation.reversed': 'ends',
  'campaign.milestone.reached': 'begins',
  'campaign.funded': 'begins',
  'campaign.threshold.reverted': 'ends',
}

/**
 * Every crossing is told once: completed and reversed take turns for each donation, reached and
 * reverted for each threshold, and the last one told is what stands.
 */
export const checkEvents = async (simulation: Simulation): Promise<void> => {
  const { sql } = simulation.world.ctx
  const events = await sql<EventRow[]>`
    select type, coalesce(body::jsonb #>> '{data,donationId}', body::jsonb #>> '{data,milestoneId}',
                          body::jsonb #>> '{data,campaignId}') as subject
    from event order by seq`
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
    select id from donation where status = 'completed'
    union all
    select milestone.id from milestone
    join campaign_total total using (campaign_id) where total.raised >= milestone.cumulative
    union all
    select campaign.id from campaign
    join campaign_total total on total.campaign_id = campaign.id
    where total.raised >= campaign.target_amount`
  expect(said).toEqual(true_.map((row) => row.id).sort())
}
