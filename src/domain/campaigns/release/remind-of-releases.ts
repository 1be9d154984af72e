import type { Context } from '../../../db/context.ts'
import type { Campaign, Milestone } from '../../../db/schema/campaigns.ts'
import { withTransaction } from '../../../db/transaction.ts'
import { notify } from '../../people/index.ts'

const REMINDER_MS = 3 * 24 * 3_600_000
/** The number of the advisory lock that stops two workers from sending a reminder each. */
const REMINDER_LOCK = 1_507_332_118

type Row = Pick<Milestone, 'id' | 'campaignId' | 'title' | 'description'> &
  Pick<Campaign, 'creatorId'> & { campaign: string }

/**
 * Notifies creators of milestones that were verified three days ago and that their escrow has not
 * released, once for each verification. Returns the number of reminders, at most `limit`.
 */
export const remindOfReleases = (ctx: Context, limit: number): Promise<number> =>
  withTransaction(ctx, async (ctx) => {
    await ctx.sql`select pg_advisory_xact_lock(${REMINDER_LOCK})`
    const since = new Date(ctx.clock.now().getTime() - REMINDER_MS)
    const rows = await ctx.sql<Row[]>`
      select milestone.id, milestone.campaign_id, milestone.title, milestone.description,
             campaign.title as campaign, campaign.creator_id
      from campaign_escrow escrow
      join campaign on campaign.id = escrow.campaign_id
      join app_user creator on creator.id = campaign.creator_id and creator.deleted_at is null
      join milestone on milestone.campaign_id = campaign.id
      where campaign.status in ('active', 'funded')
        and milestone.status = 'verified' and milestone.verified_at <= ${since}
        and not exists (
          select from notification
          where notification.user_id = campaign.creator_id
            and notification.created_at >= milestone.verified_at
            and notification.type = 'release_waiting'
            and notification.data ->> 'milestoneId' = milestone.id::text)
      order by milestone.verified_at limit ${limit}`
    await notify(
      ctx,
      rows.map(({ id, campaignId, title, description, creatorId, campaign }) => ({
        userId: creatorId,
        type: 'release_waiting',
        values: { campaign, milestone: title ?? description },
        data: { campaignId, milestoneId: id },
      })),
    )
    return rows.length
  })
