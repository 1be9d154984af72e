import type { Context } from '../../../db/context.ts'
import { isTimeout } from '../../../db/errors.ts'
import { withTransaction } from '../../../db/transaction.ts'
import { isAdmin } from '../../../kernel/actor.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { CAMPAIGN_STATUSES } from '../../../kernel/statuses.ts'
import { type Page, readPage, withStatus } from '../../shared/index.ts'
import { type ListedCampaignView, selectListedCampaign, toListedCampaign } from './campaign-view.ts'
import type { ListCampaigns } from './schemas.ts'

/**
 * Lists campaigns. Only administrators also get the drafts of other users.
 *
 * @throws DomainError `invalid_cursor` if the cursor is wrong; `unauthenticated` if a caller
 * without an account asks for their own campaigns; `unavailable` if a search takes too long
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
  const seesAll = isAdmin(ctx.actor) || (query.status && !query.status.includes('draft'))
  const read = (ctx: Context) =>
    readPage(ctx, query, {
      chosen: withStatus(
        sql,
        query.status,
        CAMPAIGN_STATUSES,
        (ofStatus) => sql`
        select id, created_at as at from campaign
        where true
          ${seesAll ? sql`` : sql`and (status <> 'draft' or creator_id = ${self})`}
          ${query.creator === undefined ? sql`` : sql`and creator_id = ${self}`}
          ${ofStatus}
          ${query.category === undefined ? sql`` : sql`and category = ${query.category}`}
          ${query.q === undefined ? sql`` : sql`and search @@ ${wordsOf(ctx, query.q)}`}`,
      ),
      oldestFirst: query.sort === 'oldest',
      rowsOf: (ids) => ctx.sql<ListedCampaignView[]>`
        ${selectListedCampaign(sql)} where campaign.id = any(${ids}::uuid[])`,
      toItem: (row) => toListedCampaign(ctx, row),
    })
  return query.q === undefined ? read(ctx) : withinBudget(ctx, read)
}

/** Lists the addresses of the newest campaigns that everyone may see, with their last changes. */
export const listAddresses = ({ sql }: Context, limit: number) =>
  sql<{ slug: string; updatedAt: Date }[]>`
    select coalesce(slug, id::text) as slug, updated_at from campaign where status <> 'draft'
    order by created_at desc, id desc limit ${limit}`

/** PostgreSQL ends a statement of a search after this time, so searches hold up no other reads. */
const SEARCH_MS = 1_000

/** Plans each search for its own words, because a plan for any words would read all campaigns. */
const withinBudget = <T>(ctx: Context, read: (ctx: Context) => Promise<T>): Promise<T> =>
  withTransaction(ctx, async (ctx) => {
    await ctx.sql`
      select set_config('statement_timeout', ${String(SEARCH_MS)}, true),
             set_config('plan_cache_mode', 'force_custom_plan', true)`
    return read(ctx)
  }).catch((error: unknown) => {
    if (!isTimeout(error)) throw error
    throw new DomainError(
      'unavailable',
      'This search takes too long. Use longer words, or try again later.',
    )
  })

/** Makes a search query in which words of at least three letters also find longer words. */
const wordsOf = ({ sql }: Context, text: string) => sql`
  regexp_replace(plainto_tsquery('simple', ${text})::text, '([^'']{3}'')(?= |$)', '\\1:*', 'g')
    ::tsquery`
