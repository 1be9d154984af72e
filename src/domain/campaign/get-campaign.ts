import type { Part } from '../../db/client.ts'
import { mayActFor } from '../../kernel/actor.ts'
import { DomainError } from '../../kernel/errors.ts'
import { isId } from '../../kernel/ids.ts'
import type { Context } from '../context.ts'
import {
  type CampaignRow,
  type CampaignView,
  type MilestoneView,
  selectCampaign,
  toCampaignView,
} from './campaign-view.ts'

/**
 * One campaign by its id or its slug; a draft only for its creator and administrators. Throws
 * DomainError `not_found`.
 */
export const getCampaign = async (ctx: Context, idOrSlug: string): Promise<CampaignView> => {
  const campaign = await findCampaign(
    ctx,
    isId(idOrSlug)
      ? ctx.sql`${idOrSlug}`
      : ctx.sql`(select id from campaign where slug = ${idOrSlug.toLowerCase()})`,
  )
  if (!campaign) throw new DomainError('not_found', 'There is no such campaign.')
  return campaign
}

/** A milestone apart from its campaign. `amount` is in `currency`. */
export type SingleMilestoneView = MilestoneView & { campaignId: string; currency: string }

/** One milestone of a campaign that the caller may see. Throws DomainError `not_found`. */
export const getMilestone = async (ctx: Context, id: string): Promise<SingleMilestoneView> => {
  const campaign = await findCampaign(
    ctx,
    ctx.sql`(select campaign_id from milestone where id = ${id})`,
  )
  const milestone = campaign?.milestones.find((one) => one.id === id.toLowerCase())
  if (!campaign || !milestone) throw new DomainError('not_found', 'There is no such milestone.')
  return { ...milestone, campaignId: campaign.id, currency: campaign.currency }
}

const findCampaign = async (ctx: Context, id: Part): Promise<CampaignView | undefined> => {
  const [row] = await ctx.sql<CampaignRow[]>`${selectCampaign(ctx.sql)} where campaign.id = ${id}`
  const isSeen = row && (row.status !== 'draft' || mayActFor(ctx.actor, row.creatorId))
  return isSeen ? toCampaignView(ctx, row) : undefined
}
