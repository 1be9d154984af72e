import type { Context } from '../../../db/context.ts'
import { withTransaction } from '../../../db/transaction.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { lockCampaign, lockChainsOf } from './lock-campaign.ts'

/**
 * Deletes a draft of the caller with all its rows in other tables.
 *
 * @throws DomainError `not_found`, `forbidden` or `conflict` if the caller has no such draft
 */
export const deleteDraft = (ctx: Context, id: string): Promise<void> =>
  withTransaction(ctx, async (ctx) => {
    const { status } = await lockCampaign(ctx, id, { forRemoval: true })
    if (status !== 'draft') {
      throw new DomainError('conflict', `Only a draft can be deleted; this campaign is ${status}.`)
    }
    await remove(ctx, [id])
  })

/** Deletes all drafts of a user with their rows in other tables, in the caller's transaction. */
export const deleteDraftsOf = async (ctx: Context, userId: string): Promise<void> => {
  await lockChainsOf(ctx, ctx.sql`creator_id = ${userId}`)
  const drafts = await ctx.sql<{ id: string }[]>`
    select id from campaign where creator_id = ${userId} and status = 'draft' for update`
  const ids = drafts.map(({ id }) => id)
  await remove(ctx, ids)
}

/** Deletes drafts. No donation or ledger entry refers to a draft, because it was never open. */
const remove = async ({ sql }: Context, ids: string[]): Promise<void> => {
  if (ids.length === 0) return
  await sql`delete from campaign_update where campaign_id = any(${ids}::uuid[])`
  await sql`delete from impact_metrics where campaign_id = any(${ids}::uuid[])`
  await sql`delete from signature_challenge where campaign_id = any(${ids}::uuid[])`
  await sql`delete from escrow_event where campaign_id = any(${ids}::uuid[])`
  await sql`delete from milestone where campaign_id = any(${ids}::uuid[])`
  await sql`delete from campaign_total where campaign_id = any(${ids}::uuid[])`
  await sql`delete from campaign where id = any(${ids}::uuid[])`
}
