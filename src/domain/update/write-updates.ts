import { withTransaction } from '../../db/transaction.ts'
import { mayActFor } from '../../kernel/actor.ts'
import { DomainError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { getCampaign, keepCampaign } from '../campaign/index.ts'
import type { Context } from '../context.ts'
import type { PostUpdate } from './schemas.ts'
import { type Media, toUpdateView, type UpdateRow, type UpdateView } from './update-view.ts'

/**
 * Publishes news of a campaign, by its creator.
 *
 * @throws DomainError `unauthenticated`, `not_found`, `forbidden` for another's campaign
 */
export const postUpdate = async (ctx: Context, input: PostUpdate): Promise<UpdateView> => {
  const { actor } = ctx
  if (actor.kind !== 'user') throw new DomainError('unauthenticated', 'Sign in first.')
  const campaign = await getCampaign(ctx, input.campaignId)
  if (!mayActFor(actor, campaign.creatorId)) {
    throw new DomainError('forbidden', "Only the campaign's creator posts its updates.")
  }
  const now = ctx.clock.now()
  const media = withCaptions(input.media)
  const rows = await withTransaction(ctx, async (ctx) => {
    await keepCampaign(ctx, campaign.id)
    return ctx.sql<UpdateRow[]>`
    insert into campaign_update
      (id, campaign_id, author_id, type, title, content, media, created_at)
    values (${newId(now.getTime())}, ${campaign.id}, ${actor.userId}, ${input.type},
            ${input.title}, ${input.content}, ${ctx.sql.json(media)}, ${now})
    returning id, campaign_id, type, title, content, media, created_at, updated_at`
  })
  const [view] = rows.map(toUpdateView)
  if (!view) throw new Error('The inserted update was not returned.')
  return view
}

/** As they are stored: a caption that is left out is null. */
export const withCaptions = (media: PostUpdate['media']): Media[] =>
  media.map((each) => ({ ...each, caption: each.caption ?? null }))
