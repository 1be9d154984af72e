import type { Context } from '../context.ts'

/**
 * Removes all drafts of a user with what belongs to them, in the caller's transaction. A draft was
 * never open, so no donation and no entry of the ledger refers to it.
 */
export const deleteDraftsOf = async ({ sql }: Context, userId: string): Promise<void> => {
  const drafts = await sql<{ id: string }[]>`
    select id from campaign where creator_id = ${userId} and status = 'draft' for update`
  const ids = drafts.map(({ id }) => id)
  if (ids.length === 0) return
  await sql`delete from campaign_update where campaign_id = any(${ids}::uuid[])`
  await sql`delete from impact_metrics where campaign_id = any(${ids}::uuid[])`
  await sql`delete from signature_challenge where campaign_id = any(${ids}::uuid[])`
  await sql`delete from milestone where campaign_id = any(${ids}::uuid[])`
  await sql`delete from campaign_total where campaign_id = any(${ids}::uuid[])`
  await sql`delete from campaign where id = any(${ids}::uuid[])`
}
