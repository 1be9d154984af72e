import type { Context } from '../../../db/context.ts'
import { crossThresholds } from '../../books/index.ts'
import { updatedEvent } from '../../campaigns/index.ts'
import { becomes } from '../../donations/index.ts'
import { emitAndNotify } from '../../people/index.ts'
import type { FollowedEvent } from './due-events.ts'
import { failedEvent } from './follow-news.ts'

type Failure = Extract<FollowedEvent, { kind: 'Failed' }>

/** The reason of an intent that waited for its payment when the escrow of its campaign failed. */
const INTENT_STOPPED = 'campaign_failed'

/**
 * Ends open campaigns whose escrow has failed: `cancelled` if the creator cancelled it, otherwise
 * `failed`. Stops their unpaid intents. A completed campaign stays completed, because its escrow
 * only gives back what was above its milestones.
 */
export const failCampaigns = async (ctx: Context, events: readonly Failure[]): Promise<void> => {
  if (events.length === 0) return
  const now = ctx.clock.now()
  const rows = events.map(({ campaignId, fields }) => ({
    id: campaignId,
    status: fields.reason === 'cancelled' ? 'cancelled' : 'failed',
  }))
  const ended = await ctx.sql<{ id: string }[]>`
    with ended as (
      update campaign set status = row.status, updated_at = ${now}
      from jsonb_to_recordset(${ctx.sql.json(rows)}) as row (id uuid, status text)
      where campaign.id = row.id and campaign.status in ('active', 'funded')
      returning campaign.id
    )
    update campaign_escrow set ended_campaign = true
    from ended where campaign_id = ended.id
    returning ended.id`
  const ids = new Set(ended.map(({ id }) => id))
  await ctx.sql`
    update donation
    set ${becomes(ctx.sql, 'stop')}, reason = ${INTENT_STOPPED}, next_check_at = null, lost_transfer_id = null
    where campaign_id = any(${[...ids]}::uuid[]) and intent and tx_hash is null
      and transfer_id is null and status in ('pending', 'expired')`
  await emitAndNotify(
    ctx,
    events.filter(({ campaignId }) => ids.has(campaignId)).map((event) => failedEvent(ctx, event)),
  )
}

/**
 * Opens the campaigns again that a reverted failure had ended, with their intents. Call it after
 * their refunds are reverted, because the raised total says whether a campaign is funded.
 */
export const reopenCampaigns = async (ctx: Context, events: readonly Failure[]): Promise<void> => {
  if (events.length === 0) return
  const now = ctx.clock.now()
  const opened = await ctx.sql<{ id: string; creatorId: string; status: 'active' | 'funded' }[]>`
    with reverted as (
      update campaign_escrow set ended_campaign = false
      where campaign_id = any(${events.map(({ campaignId }) => campaignId)}::uuid[])
        and ended_campaign
      returning campaign_id
    )
    update campaign
    set status = case when funded_at is null then 'active' else 'funded' end, updated_at = ${now}
    from reverted where campaign.id = reverted.campaign_id
    returning campaign.id, campaign.creator_id, campaign.status`
  const openedIds = opened.map(({ id }) => id)
  await ctx.sql`
    update donation
    set ${becomes(ctx.sql, 'restartLate', { restart: ctx.sql`expires_at > ${now}` })},
        reason = case when expires_at > ${now} then 'waiting_for_payment'
                      else 'payment_not_received' end,
        next_check_at = case when expires_at > ${now} then expires_at end
    where campaign_id = any(${openedIds}::uuid[]) and intent and tx_hash is null
      and transfer_id is null and status = 'failed' and reason = ${INTENT_STOPPED}`
  await emitAndNotify(ctx, [
    ...opened.map((campaign) => updatedEvent(ctx, campaign, campaign.status, ['status'])),
    ...(await crossThresholds(ctx, openedIds)),
  ])
}
