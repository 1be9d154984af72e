import type { Context } from '../../../db/context.ts'
import type { Milestone } from '../../../db/schema/campaigns.ts'

/** The milestone that an event names. */
export type NamedMilestone = Pick<Milestone, 'id' | 'campaignId' | 'position' | 'title'>

/** Finds the milestone of each event by its position. The map has the ids of the events as keys. */
export const namedMilestones = async (
  ctx: Context,
  events: readonly { id: string; campaignId: string; fields: { milestone: number } }[],
): Promise<Map<string, NamedMilestone>> => {
  const rows = await ctx.sql<NamedMilestone[]>`
    select id, campaign_id, position, title from milestone
    where campaign_id = any(${events.map(({ campaignId }) => campaignId)}::uuid[])`
  const byPlace = new Map(rows.map((row) => [`${row.campaignId} ${row.position}`, row]))
  return new Map(
    events.flatMap(({ id, campaignId, fields }) => {
      const row = byPlace.get(`${campaignId} ${fields.milestone}`)
      return row ? [[id, row] as const] : []
    }),
  )
}
