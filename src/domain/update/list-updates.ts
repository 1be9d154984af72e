import { isAdmin } from '../../kernel/actor.ts'
import { DomainError } from '../../kernel/errors.ts'
import type { Context } from '../context.ts'
import { excerptOf } from '../excerpt.ts'
import { decodeCursor, type Page, toPage } from '../page.ts'
import type { ListUpdates } from './schemas.ts'
import {
  type ListedUpdateRow,
  type ListedUpdateView,
  toListedUpdate,
  toUpdateView,
  type UpdateRow,
  type UpdateView,
} from './update-view.ts'

/** News of all campaigns or of one, newest first; of drafts only one's own. Throws `invalid_cursor`. */
export const listUpdates = async (
  ctx: Context,
  query: ListUpdates,
): Promise<Page<ListedUpdateView>> => {
  const { sql } = ctx
  const after = query.cursor === undefined ? null : decodeCursor(query.cursor)
  const filter = sql`
    ${seen(ctx)}
    ${query.campaignId === undefined ? sql`` : sql`and news.campaign_id = ${query.campaignId}`}
    ${query.type === undefined ? sql`` : sql`and news.type = ${query.type}`}`
  const from = sql`campaign_update news join campaign on campaign.id = news.campaign_id`
  const [counted] = await sql<{ total: number }[]>`
    select count(*) as total from ${from} where ${filter}`
  const rows = await sql<ListedUpdateRow[]>`
    select news.id, news.campaign_id, news.type, news.title,
           ${excerptOf(sql, sql`news.content`)} as content,
           case when jsonb_array_length(news.media) = 0 then '[]'
                else jsonb_build_array((news.media -> 0) - 'caption') end as media,
           news.created_at
    from ${from}
    where ${filter}
      ${after ? sql`and (news.created_at, news.id) < (${after.createdAt}, ${after.id})` : sql``}
    order by news.created_at desc, news.id desc
    limit ${query.limit + 1}
    offset ${after ? 0 : (query.page - 1) * query.limit}`
  return toPage(
    rows,
    query,
    counted?.total ?? 0,
    (row) => ({ createdAt: row.created_at, id: row.id }),
    toListedUpdate,
  )
}

/** One piece of news. Throws DomainError `not_found`. */
export const getUpdate = async (ctx: Context, id: string): Promise<UpdateView> => {
  const rows = await ctx.sql<UpdateRow[]>`
    select news.* from campaign_update news join campaign on campaign.id = news.campaign_id
    where news.id = ${id} and ${seen(ctx)}`
  const [view] = rows.map(toUpdateView)
  if (!view) throw new DomainError('not_found', 'There is no such update.')
  return view
}

/** What the caller may see of `campaign`. */
const seen = ({ sql, actor }: Context) => {
  if (isAdmin(actor)) return sql`true`
  const self = actor.kind === 'user' ? actor.userId : null
  return sql`(campaign.status <> 'draft' or campaign.creator_id = ${self})`
}
