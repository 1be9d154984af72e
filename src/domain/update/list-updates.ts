import { isAdmin } from '../../kernel/actor.ts'
import { DomainError } from '../../kernel/errors.ts'
import type { Context } from '../context.ts'
import { excerptOf } from '../excerpt.ts'
import { type Page, readPage } from '../page.ts'
import type { ListUpdates } from './schemas.ts'
import {
  type ListedUpdateRow,
  type ListedUpdateView,
  toListedUpdate,
  toUpdateView,
  type UpdateRow,
  type UpdateView,
} from './update-view.ts'

/**
 * News of all campaigns or of one, newest first; of drafts only one's own. Throws `invalid_cursor`.
 */
export const listUpdates = async (
  ctx: Context,
  query: ListUpdates,
): Promise<Page<ListedUpdateView>> => {
  const { sql } = ctx
  const chosen = sql`
    select news.id, news.created_at as at
    from campaign_update news join campaign on campaign.id = news.campaign_id
    where ${seen(ctx)}
      ${query.campaignId ? sql`and news.campaign_id = ${query.campaignId}` : sql``}
      ${query.type === undefined ? sql`` : sql`and news.type = ${query.type}`}`
  return readPage(ctx, query, {
    chosen,
    rowsOf: (ids) => sql<ListedUpdateRow[]>`
      select id, campaign_id, type, title, ${excerptOf(sql, sql`content`)} as content,
             case when jsonb_array_length(media) = 0 then '[]'
                  else jsonb_build_array((media -> 0) - 'caption') end as media,
             created_at, updated_at
      from campaign_update where id = any(${ids}::uuid[])`,
    toItem: toListedUpdate,
  })
}

/** One piece of news. Throws DomainError `not_found`. */
export const getUpdate = async (ctx: Context, id: string): Promise<UpdateView> => {
  const rows = await ctx.sql<UpdateRow[]>`
    select news.* from campaign_update news join campaign on campaign.id = news.campaign_id
    where news.id = ${id} and ${seen(ctx)}`
  const [view] = rows.map(toUpdateView)
  if (!view) throw noUpdate()
  return view
}

export const noUpdate = () => new DomainError('not_found', 'There is no such update.')

/** What the caller may see of `campaign`. */
export const seen = ({ sql, actor }: Context) => {
  if (isAdmin(actor)) return sql`true`
  const self = actor.kind === 'user' ? actor.userId : null
  return sql`(campaign.status <> 'draft' or campaign.creator_id = ${self})`
}
