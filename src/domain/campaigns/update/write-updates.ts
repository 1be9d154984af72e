import type { Context } from '../../../db/context.ts'
import { withTransaction } from '../../../db/transaction.ts'
import { mayActFor } from '../../../kernel/actor.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/formats/ids.ts'
import { requireUser } from '../../shared/index.ts'
import { getCampaign } from '../campaign/get-campaign.ts'
import { keepCampaign } from '../campaign/lock-campaign.ts'
import { getUpdate, isSeen, noUpdate, type UpdateView, updateColumns } from './list-updates.ts'
import type { ChangeUpdate, PostUpdate } from './schemas.ts'

/**
 * Publishes an update of a campaign. Only the campaign's creator and administrators may do this.
 *
 * @throws DomainError `unauthenticated` without a sign-in; `not_found` if the caller cannot see the
 *   campaign; `forbidden` for another user's campaign
 */
export const postUpdate = async (ctx: Context, input: PostUpdate): Promise<UpdateView> => {
  const actor = requireUser(ctx)
  const campaign = await getCampaign(ctx, input.campaignId)
  if (!mayActFor(actor, campaign.creatorId)) {
    throw new DomainError('forbidden', "Only the campaign's creator can post its updates.")
  }
  const now = ctx.clock.now()
  const id = newId(now.getTime())
  return withTransaction(ctx, async (ctx) => {
    await keepCampaign(ctx, campaign.id)
    await ctx.sql`
      insert into campaign_update
        (id, campaign_id, author_id, type, title, content, media, created_at)
      values (${id}, ${campaign.id}, ${actor.userId}, ${input.type}, ${input.title},
              ${input.content}, ${ctx.sql.json(withCaptions(input.media))}, ${now})`
    return getUpdate(ctx, id)
  })
}

/**
 * Changes an update, and sets `updatedAt` if a value changes. Only the campaign's creator and
 * administrators may do this. Neither new nor changed updates emit an event.
 *
 * @throws DomainError `not_found` for an unknown update, `forbidden` for another user's campaign
 */
export const changeUpdate = (ctx: Context, id: string, input: ChangeUpdate): Promise<UpdateView> =>
  withTransaction(ctx, async (ctx) => {
    const row = await lockUpdate(ctx, id)
    const { type = row.type, title = row.title, content = row.content } = input
    const media = ctx.sql.json(input.media ? withCaptions(input.media) : row.media)
    await ctx.sql`
      update campaign_update
      set type = ${type}, title = ${title}, content = ${content}, media = ${media},
          updated_at = ${ctx.clock.now()}
      where id = ${id} and (type, title, content, media)
        is distinct from (${type}, ${title}, ${content}, ${media}::jsonb)`
    return getUpdate(ctx, id)
  })

/**
 * Deletes an update. Only the campaign's creator and administrators may do this.
 *
 * @throws DomainError `not_found` for an unknown update, `forbidden` for another user's campaign
 */
export const deleteUpdate = (ctx: Context, id: string): Promise<void> =>
  withTransaction(ctx, async (ctx) => {
    await lockUpdate(ctx, id)
    await ctx.sql`delete from campaign_update where id = ${id}`
  })

const lockUpdate = async (ctx: Context, id: string): Promise<UpdateView> => {
  const [row] = await ctx.sql<(UpdateView & { creatorId: string })[]>`
    select ${updateColumns(ctx.sql)}, campaign.creator_id
    from campaign_update news join campaign on campaign.id = news.campaign_id
    where news.id = ${id} and ${isSeen(ctx)}
    for update of news`
  if (!row) throw noUpdate()
  if (mayActFor(ctx.actor, row.creatorId)) return row
  throw new DomainError('forbidden', "Only the campaign's creator can change its updates.")
}

/** Converts media to their stored form, in which a missing caption is null. */
const withCaptions = (media: PostUpdate['media']): UpdateView['media'] =>
  media.map((item) => ({ ...item, caption: item.caption ?? null }))
