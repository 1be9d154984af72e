import { isAdmin } from '../../kernel/actor.ts'
import type { Context } from '../context.ts'
import { decodeCursor, type Page, toPage } from '../page.ts'
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
  const after = query.cursor === undefined ? null : decodeCursor(query.cursor)
  const filter = sql`
    true
    ${isAdmin(ctx.actor) ? sql`` : sql`and (campaign.status <> 'draft' or campaign.creator_id = ${self})`}
    ${query.status === undefined ? sql`` : sql`and campaign.status = ${query.status}`}
    ${query.category === undefined ? sql`` : sql`and campaign.category = ${query.category}`}`
  const [counted] = await sql<{ total: number }[]>`
    select count(*) as total from campaign where ${filter}`
  const rows = await sql<ListedCampaignRow[]>`
    ${selectListedCampaign(sql)}
    where ${filter}
      ${after ? sql`and (campaign.created_at, campaign.id) < (${after.createdAt}, ${after.id})` : sql``}
    order by campaign.created_at desc, campaign.id desc
    limit ${query.limit + 1}
    offset ${after ? 0 : (query.page - 1) * query.limit}`
  return toPage(
    rows,
    query,
    counted?.total ?? 0,
    (row) => ({ createdAt: row.created_at, id: row.id }),
    (row) => toListedCampaign(ctx, row),
  )
}
