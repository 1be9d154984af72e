import { isAdmin } from '../../kernel/actor.ts'
import type { Context } from '../context.ts'
import { type Page, readPage, withStatus } from '../page.ts'
import {
  type ListedCampaignRow,
  type ListedCampaignView,
  selectListedCampaign,
  toListedCampaign,
} from './campaign-view.ts'
import type { ListCampaigns } from './schemas.ts'

/** Campaigns, newest first, the caller's own drafts among them. Throws DomainError `invalid_cursor`. */
export const listCampaigns = async (
  ctx: Context,
  query: ListCampaigns,
): Promise<Page<ListedCampaignView>> => {
  const { sql } = ctx
  const self = ctx.actor.kind === 'user' ? ctx.actor.userId : null
  const chosen = withStatus(
    sql,
    query.status,
    [],
    (ofStatus) => sql`
    select id, created_at as at from campaign
    where true
      ${isAdmin(ctx.actor) ? sql`` : sql`and (status <> 'draft' or creator_id = ${self})`}
      ${ofStatus}
      ${query.category === undefined ? sql`` : sql`and category = ${query.category}`}`,
  )
  return readPage(ctx, query, {
    chosen,
    rowsOf: (ids) => sql<ListedCampaignRow[]>`
      ${selectListedCampaign(sql)} where campaign.id = any(${ids}::uuid[])`,
    toItem: (row) => toListedCampaign(ctx, row),
  })
}
