import type { Part } from '../../../db/client.ts'
import type { Context } from '../../../db/context.ts'
import { mayActFor } from '../../../kernel/actor.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { isId } from '../../../kernel/formats/ids.ts'
import {
  type CampaignRow,
  type CampaignView,
  selectCampaign,
  toCampaignView,
} from './campaign-view.ts'
import { unknownCampaign } from './lock-campaign.ts'

/**
 * Returns a campaign by its id or slug. Only its creator and administrators can read a draft.
 *
 * @throws DomainError `not_found` if the caller can see no such campaign
 */
export const getCampaign = async (ctx: Context, idOrSlug: string): Promise<CampaignView> => {
  const { sql } = ctx
  const campaign = await findCampaign(
    ctx,
    isId(idOrSlug) ? sql`campaign.id = ${idOrSlug}` : sql`slug = ${idOrSlug.toLowerCase()}`,
  )
  if (!campaign) throw unknownCampaign()
  return campaign
}

/**
 * Returns a milestone with the currency of its amount.
 *
 * @throws DomainError `not_found` if the caller can see no campaign with this milestone
 */
export const getMilestone = async (ctx: Context, id: string) => {
  const campaign = await findCampaign(
    ctx,
    ctx.sql`campaign.id = (select campaign_id from milestone where id = ${id})`,
  )
  const milestone = campaign?.milestones.find((known) => known.id === id.toLowerCase())
  if (!campaign || !milestone) throw new DomainError('not_found', 'There is no such milestone.')
  return { ...milestone, campaignId: campaign.id, currency: campaign.currency }
}

const findCampaign = async (ctx: Context, which: Part): Promise<CampaignView | undefined> => {
  const [row] = await ctx.sql<CampaignRow[]>`${selectCampaign(ctx.sql)} where ${which}`
  const isSeen = row && (row.status !== 'draft' || mayActFor(ctx.actor, row.creatorId))
  return isSeen ? toCampaignView(ctx, row) : undefined
}

/** The title of a campaign, and its slug; null for a draft. */
export type CampaignTitle = { id: string; title: string; slug: string | null }

/**
 * Reads the titles of campaigns, by their ids. Does not check who may see a draft, so the ids must
 * come from data that the caller may see.
 */
export const campaignTitles = async (
  { sql }: Context,
  ids: readonly string[],
): Promise<Map<string, CampaignTitle>> => {
  const rows = await sql<CampaignTitle[]>`
    select id, title, slug from campaign where id = any(${[...new Set(ids)]}::uuid[])`
  return new Map(rows.map((row) => [row.id, row]))
}
