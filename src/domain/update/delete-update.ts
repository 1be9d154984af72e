import { withTransaction } from '../../db/transaction.ts'
import type { Context } from '../context.ts'
import { lockUpdate } from './lock-update.ts'

/**
 * Deletes an update, by the creator of its campaign. Throws DomainError `not_found`, `forbidden`.
 */
export const deleteUpdate = (ctx: Context, id: string): Promise<void> =>
  withTransaction(ctx, async (ctx) => {
    await lockUpdate(ctx, id)
    await ctx.sql`delete from campaign_update where id = ${id}`
  })
