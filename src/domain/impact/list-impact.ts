import { DomainError } from '../../kernel/errors.ts'
import { getCampaign } from '../campaign/index.ts'
import type { Context } from '../context.ts'
import { decodeCursor, type Page, toPage } from '../page.ts'
import {
  type ImpactRow,
  type ImpactView,
  impactColumns,
  type ListedImpactRow,
  type ListedImpactView,
  listedColumns,
  toImpactView,
  toListedImpact,
} from './impact-view.ts'
import type { ListImpact } from './schemas.ts'

/**
 * What a campaign reported between two moments, both included, newest first.
 * Throws DomainError `not_found` for a campaign that the caller may not see, `invalid_cursor`.
 */
export const listImpact = async (
  ctx: Context,
  campaignId: string,
  query: ListImpact,
): Promise<Page<ListedImpactView>> => {
  const { sql } = ctx
  const after = query.cursor === undefined ? null : decodeCursor(query.cursor)
  const campaign = await getCampaign(ctx, campaignId)
  const filter = sql`
    campaign_id = ${campaign.id}
    ${query.from === undefined ? sql`` : sql`and created_at >= ${query.from}`}
    ${query.to === undefined ? sql`` : sql`and created_at <= ${query.to}`}`
  const [counted] = await sql<{ total: number }[]>`
    select count(*) as total from impact_metrics where ${filter}`
  const rows = await sql<ListedImpactRow[]>`
    select ${listedColumns(sql)} from impact_metrics
    where ${filter}
      ${after ? sql`and (created_at, id) < (${after.createdAt}, ${after.id})` : sql``}
    order by created_at desc, id desc
    limit ${query.limit + 1}
    offset ${after ? 0 : (query.page - 1) * query.limit}`
  return toPage(
    rows,
    query,
    counted?.total ?? 0,
    (row) => ({ createdAt: row.created_at, id: row.id }),
    toListedImpact,
  )
}

/** One report of a campaign. Throws DomainError `not_found`. */
export const getImpact = async (
  ctx: Context,
  ids: { campaignId: string; id: string },
): Promise<ImpactView> => {
  const campaign = await getCampaign(ctx, ids.campaignId)
  const rows = await ctx.sql<ImpactRow[]>`
    select ${impactColumns(ctx.sql)} from impact_metrics
    where id = ${ids.id} and campaign_id = ${campaign.id}`
  const [view] = rows.map(toImpactView)
  if (!view) throw new DomainError('not_found', 'There is no such impact report.')
  return view
}
