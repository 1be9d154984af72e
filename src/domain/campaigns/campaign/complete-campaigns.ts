import type { Part } from '../../../db/client.ts'
import type { Context } from '../../../db/context.ts'
import type { Campaign } from '../../../db/schema/campaigns.ts'
import { DomainError } from '../../../kernel/errors.ts'
import type { CampaignStatus } from '../../../kernel/statuses.ts'
import { emit } from '../../../outbox/emit.ts'
import { updatedEvent } from './updated-event.ts'

type Changed = Pick<Campaign, 'id' | 'creatorId' | 'status'>

/**
 * Completes those of these open campaigns whose milestones are all released, if the raised total
 * reaches the target or the account is an escrow. An escrow has held its target before it releases,
 * also if no donation is recorded for some of its money. Call it in the transaction of the release.
 */
export const completeIfDone = async (
  ctx: Context,
  campaignIds: readonly string[],
): Promise<void> => {
  if (campaignIds.length === 0) return
  const { sql } = ctx
  const completed = await sql<Changed[]>`
    update campaign set status = 'completed', updated_at = ${ctx.clock.now()}
    from campaign_total total
    where campaign.id = any(${campaignIds}::uuid[]) and total.campaign_id = campaign.id
      and campaign.status in ('active', 'funded')
      and (total.raised >= campaign.target_amount or ${hasEscrow(ctx)})
      and exists (select from milestone where milestone.campaign_id = campaign.id)
      and not ${hasOpenMilestone(ctx)}
    returning campaign.id, campaign.creator_id, campaign.status`
  await announce(ctx, completed)
}

/**
 * Opens completed campaigns with an escrow again if a release was reverted. Only its escrow
 * completes such a campaign, so this does not undo a decision of its creator.
 */
export const reopenIfUndone = async (
  ctx: Context,
  campaignIds: readonly string[],
): Promise<void> => {
  if (campaignIds.length === 0) return
  const now = ctx.clock.now()
  const reopened = await ctx.sql<Changed[]>`
    update campaign
    set status = case when total.raised >= target_amount then 'funded' else 'active' end,
        funded_at = case when total.raised >= target_amount then coalesce(funded_at, ${now}) end,
        updated_at = ${now}
    from campaign_total total
    where campaign.id = any(${campaignIds}::uuid[]) and total.campaign_id = campaign.id
      and campaign.status = 'completed' and ${hasEscrow(ctx)} and ${hasOpenMilestone(ctx)}
    returning campaign.id, campaign.creator_id, campaign.status`
  await announce(ctx, reopened)
}

/**
 * Refuses to end an open campaign by a request if only its escrow can end it.
 *
 * @throws DomainError `conflict`
 */
export const refuseEscrowEnd = async (
  ctx: Context,
  { id, status }: Pick<Campaign, 'id' | 'status'>,
  next: CampaignStatus | undefined,
): Promise<void> => {
  if (status === 'draft' || (next !== 'completed' && next !== 'cancelled')) return
  const [found] = await ctx.sql<{ isPaid: boolean }[]>`
    select exists (
      select from chain_transfer transfer
      where transfer.chain_id = campaign.chain_id and transfer.recipient = campaign.account
    ) as is_paid
    from campaign where id = ${id} and ${hasEscrow(ctx)}`
  if (!found) return
  if (next === 'completed') {
    throw new DomainError(
      'conflict',
      'The escrow completes this campaign when its last milestone is released.',
    )
  }
  if (!found.isPaid) return
  throw new DomainError(
    'conflict',
    'The escrow has received money. Send the transaction `cancel` of GET /api/campaigns/:id/escrow, so that donors get refunds.',
  )
}

const hasEscrow = ({ sql }: Context): Part => sql`
  exists (select from campaign_escrow escrow where escrow.campaign_id = campaign.id)`

const hasOpenMilestone = ({ sql }: Context): Part => sql`
  exists (
    select from milestone
    where milestone.campaign_id = campaign.id and milestone.status <> 'released')`

const announce = (ctx: Context, campaigns: readonly Changed[]): Promise<void> =>
  emit(
    ctx,
    campaigns.map((campaign) => updatedEvent(ctx, campaign, campaign.status, ['status'])),
  )
