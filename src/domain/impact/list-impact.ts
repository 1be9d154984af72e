import { getCampaign } from '../campaign/index.ts'
import type { Context } from '../context.ts'
import { type Page, readPage } from '../page.ts'
import {
  type ImpactRow,
  type ImpactView,
  impactColumns,
  type ListedImpactRow,
  type ListedImpactView,
  listedColumns,
  toImpactView,
  toListedImpact,
  unknownReport,
} from './impact-view.ts'
import type { ListImpact } from './schemas.ts'

/**
 * The reports of a campaign between two moments, both included, newest first.
 *
 * @throws DomainError `not_found` for a campaign that the caller may not see, `invalid_cursor`
 */
export const listImpact = async (
  ctx: Context,
  campaignId: string,
  query: ListImpact,
): Promise<Page<ListedImpactView>> => {
  const { sql } = ctx
  const campaign = await getCampaign(ctx, campaignId)
  const chosen = sql`
    select id, created_at as at from impact_metrics
    where campaign_id = ${campaign.id}
      ${query.from === undefined ? sql`` : sql`and created_at >= ${query.from}`}
      ${query.to === undefined ? sql`` : sql`and created_at <= ${query.to}`}`
  return readPage(ctx, query, {
    chosen,
    rowsOf: (ids) => sql<ListedImpactRow[]>`
      select ${listedColumns(sql)} from impact_metrics where id = any(${ids}::uuid[])`,
    toItem: toListedImpact,
  })
}

/**
 * One report of a campaign.
 *
 * @throws DomainError `not_found`
 */
export const getImpact = async (
  ctx: Context,
  ids: { campaignId: string; id: string },
): Promise<ImpactView> => {
  const campaign = await getCampaign(ctx, ids.campaignId)
  const [row] = await ctx.sql<ImpactRow[]>`
    select ${impactColumns(ctx.sql)} from impact_metrics
    where id = ${ids.id} and campaign_id = ${campaign.id}`
  if (!row) throw unknownReport()
  return toImpactView(row)
}
