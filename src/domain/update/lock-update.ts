import { mayActFor } from '../../kernel/actor.ts'
import { DomainError } from '../../kernel/errors.ts'
import type { Context } from '../context.ts'
import { noUpdate, seen } from './list-updates.ts'
import type { UpdateRow } from './update-view.ts'

/**
 * Locks an update until the transaction ends, for the creator of its campaign.
 *
 * @throws DomainError `not_found`, `forbidden`
 */
export const lockUpdate = async (ctx: Context, id: string): Promise<UpdateRow> => {
  const [row] = await ctx.sql<(UpdateRow & { creatorId: string })[]>`
    select news.*, campaign.creator_id
    from campaign_update news join campaign on campaign.id = news.campaign_id
    where news.id = ${id} and ${seen(ctx)}
    for update of news`
  if (!row) throw noUpdate()
  if (mayActFor(ctx.actor, row.creatorId)) return row
  throw new DomainError('forbidden', "Only the campaign's creator changes its updates.")
}
