import type { Context } from '../../../db/context.ts'
import type { CampaignStatus } from '../../../kernel/statuses.ts'
import { emit, type NewEvent } from '../../../outbox/emit.ts'
import type { LockedCampaign } from './lock-campaign.ts'

type Subject = Pick<LockedCampaign, 'id' | 'creatorId'>

export const emitUpdated = (
  ctx: Context,
  campaign: Subject,
  status: CampaignStatus,
  changes: string[],
): Promise<void> => emit(ctx, [updatedEvent(ctx, campaign, status, changes)])

/** The event `campaign.updated`, with the names of the changed fields. */
export const updatedEvent = (
  ctx: Context,
  { id, creatorId }: Subject,
  status: CampaignStatus,
  changes: string[],
): NewEvent => ({
  type: 'campaign.updated',
  campaignId: id,
  audience: [creatorId],
  data: { campaignId: id, changes, status, updatedAt: ctx.clock.now().toISOString() },
})
