import { isAdmin } from '../../kernel/actor.ts'
import { DomainError } from '../../kernel/errors.ts'
import type { Context } from '../context.ts'
import { ofStatus, type Page, readPage } from '../page.ts'
import { type ListedCampaignView, selectListedCampaign, toListedCampaign } from './campaign-view.ts'
import type { ListCampaigns } from './schemas.ts'

/**
 * Lists campaigns. Only administrators also get the drafts of other users.
 *
 * @throws DomainError `invalid_cursor` if the cursor is wrong; `unauthenticated` if a caller
 * without an account asks for their own campaigns
 */
export const listCampaigns = async (
  ctx: Context,
  query: ListCampaigns,
): Promise<Page<ListedCampaignView>> => {
  const { sql } = ctx
  const self = ctx.actor.kind === 'user' ? ctx.actor.userId : null
  if (query.creator !== undefined && self === null) {
    throw new DomainError('unauthenticated', 'Sign in to list your own campaigns.')
  }
  return readPage(ctx, query, {
    chosen: sql`
      select id, created_at as at from campaign
      where true
        ${isAdmin(ctx.actor) ? sql`` : sql`and (status <> 'draft' or creator_id = ${self})`}
        ${query.creator === undefined ? sql`` : sql`and creator_id = ${self}`}
        ${ofStatus(sql, query.status)}
        ${query.category === undefined ? sql`` : sql`and category = ${query.category}`}
        ${query.q === undefined ? sql`` : sql`and search @@ ${wordsOf(ctx, query.q)}`}`,
    oldestFirst: query.sort === 'oldest',
    rowsOf: (ids) => sql<ListedCampaignView[]>`
      ${selectListedCampaign(sql)} where campaign.id = any(${ids}::uuid[])`,
    toItem: (row) => toListedCampaign(ctx, row),
  })
}

/** Makes a search query in which each word also finds longer words, as `water` finds `waters`. */
const wordsOf = ({ sql }: Context, text: string) => sql`
  regexp_replace(plainto_tsquery('simple', ${text})::text, '''(?= |$)', ''':*', 'g')::tsquery`
