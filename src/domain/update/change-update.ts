import { withTransaction } from '../../db/transaction.ts'
import type { Context } from '../context.ts'
import { getUpdate } from './list-updates.ts'
import { lockUpdate } from './lock-update.ts'
import { withCaptions } from './post-update.ts'
import type { ChangeUpdate } from './schemas.ts'
import type { UpdateView } from './update-view.ts'

/**
 * Changes an update, by the creator of its campaign; `updatedAt` says that it was changed. No event
 * reported the update, so none reports the change.
 *
 * @throws DomainError `not_found`, `forbidden`
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
