import type { Queryable } from '../../../db/client.ts'
import type { Context } from '../../../db/context.ts'
import type { CampaignUpdate } from '../../../db/schema/impact.ts'
import { isAdmin } from '../../../kernel/actor.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { excerptOf, readPage } from '../../shared/index.ts'
import type { ListUpdates } from './schemas.ts'

/** An update (news) of a campaign. `updatedAt` is null if the update was never changed. */
export type UpdateView = Omit<CampaignUpdate, 'authorId'>

/** An update in a list has the beginning of its content, and its first medium without caption. */
export type ListedUpdateView = Omit<UpdateView, 'media'> & {
  media: (Omit<UpdateView['media'][number], 'caption'> & { caption?: string | null })[]
}

export const updateColumns = (sql: Queryable) => sql`
  news.id, news.campaign_id, news.type, news.title, news.content, news.media, news.created_at,
  news.updated_at`

/**
 * Lists updates of all campaigns or of one campaign, newest first, with at most `length` characters
 * of each text. Leaves out the updates of a draft campaign that the caller may not see.
 *
 * @throws DomainError `invalid_cursor` if the cursor is not from this list
 */
export const listUpdates = (ctx: Context, query: ListUpdates, length?: number) => {
  const { sql } = ctx
  return readPage(ctx, query, {
    chosen: sql`
      select news.id, news.created_at as at
      from campaign_update news join campaign on campaign.id = news.campaign_id
      where ${isSeen(ctx)}
        ${query.campaignId ? sql`and news.campaign_id = ${query.campaignId}` : sql``}
        ${query.type === undefined ? sql`` : sql`and news.type = ${query.type}`}`,
    rowsOf: (ids) => sql<ListedUpdateView[]>`
      select id, campaign_id, type, title, ${excerptOf(sql, sql`content`, length)} as content,
             case when jsonb_array_length(media) = 0 then '[]'
                  else jsonb_build_array((media -> 0) - 'caption') end as media,
             created_at, updated_at
      from campaign_update where id = any(${ids}::uuid[])`,
  })
}

/**
 * Returns an update of a campaign that the caller may see.
 *
 * @throws DomainError `not_found` if the update does not exist, or if the caller may not see it
 */
export const getUpdate = async (ctx: Context, id: string): Promise<UpdateView> => {
  const [view] = await ctx.sql<UpdateView[]>`
    select ${updateColumns(ctx.sql)}
    from campaign_update news join campaign on campaign.id = news.campaign_id
    where news.id = ${id} and ${isSeen(ctx)}`
  if (!view) throw noUpdate()
  return view
}

export const noUpdate = () => new DomainError('not_found', 'There is no such update.')

/** SQL condition on a table named `campaign`: the caller may see the campaign. */
export const isSeen = ({ sql, actor }: Context) => {
  if (isAdmin(actor)) return sql`true`
  const self = actor.kind === 'user' ? actor.userId : null
  return sql`(campaign.status <> 'draft' or campaign.creator_id = ${self})`
}
