import { mayActFor } from '../../kernel/actor.ts'
import { DomainError } from '../../kernel/errors.ts'
import type { Context } from '../context.ts'
import {
  type CampaignRow,
  type CampaignView,
  selectCampaign,
  toCampaignView,
} from './campaign-view.ts'

/** One campaign; a draft only for its creator and administrators. Throws DomainError `not_found`. */
export const getCampaign = async (ctx: Context, id: string): Promise<CampaignView> => {
  const [row] = await ctx.sql<CampaignRow[]>`${selectCampaign(ctx.sql)} where campaign.id = ${id}`
  if (!row || (row.status === 'draft' && !mayActFor(ctx.actor, row.creator_id))) {
    throw new DomainError('not_found', 'There is no such campaign.')
  }
  return toCampaignView(ctx, row)
}
