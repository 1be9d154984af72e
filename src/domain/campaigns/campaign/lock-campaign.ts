import type { Part } from '../../../db/client.ts'
import type { Context } from '../../../db/context.ts'
import type { Campaign } from '../../../db/schema/campaigns.ts'
import { mayActFor } from '../../../kernel/actor.ts'
import { DomainError } from '../../../kernel/errors.ts'

export type LockedCampaign = Omit<Campaign, 'search'>

/**
 * Locks the chains of those drafts that meet the condition `drafts`, for the caller who locks the
 * drafts next. A transaction that stores blocks also locks its chain first, and campaigns later.
 */
export const lockChainsOf = async ({ sql }: Context, drafts: Part): Promise<void> => {
  await sql`
    select from chain_state
    where chain_id in (select chain_id from campaign where ${drafts} and status = 'draft')
    order by chain_id for update`
}

/**
 * Locks a campaign of the caller until the transaction ends. Other transactions can still add rows
 * that refer to the campaign, but not with `forRemoval`. Locks the chain of a draft first.
 *
 * @throws DomainError `not_found` without such a campaign; `forbidden` if another user created it
 */
export const lockCampaign = async (
  ctx: Context,
  id: string,
  { forRemoval = false } = {},
): Promise<LockedCampaign> => {
  const { sql } = ctx
  await lockChainsOf(ctx, sql`id = ${id}`)
  const [row] = await sql<LockedCampaign[]>`
    select * from campaign where id = ${id} ${forRemoval ? sql`for update` : sql`for no key update`}`
  return ofCreator(ctx, row, 'Only the creator can change a campaign.')
}

/**
 * Returns the row of a campaign if the caller may act for its creator.
 *
 * @throws DomainError `not_found` if `row` is undefined or another user's draft; `forbidden`, with
 * the message `refusal`, if the row is another user's open or ended campaign
 */
export const ofCreator = <T extends Pick<Campaign, 'creatorId' | 'status'>>(
  { actor }: Context,
  row: T | undefined,
  refusal: string,
): T => {
  const mine = row !== undefined && mayActFor(actor, row.creatorId)
  if (!row || (row.status === 'draft' && !mine)) throw unknownCampaign()
  if (!mine) throw new DomainError('forbidden', refusal)
  return row
}

/**
 * Prevents the removal of a campaign until the transaction ends, so that new rows can refer to it.
 *
 * @throws DomainError `not_found` if there is no such campaign
 */
export const keepCampaign = async ({ sql }: Context, id: string): Promise<void> => {
  const kept = await sql`select from campaign where id = ${id} for key share`
  if (kept.length === 0) throw unknownCampaign()
}

export const unknownCampaign = () => new DomainError('not_found', 'There is no such campaign.')
