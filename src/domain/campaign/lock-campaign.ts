import { mayActFor } from '../../kernel/actor.ts'
import { DomainError } from '../../kernel/errors.ts'
import type { CampaignStatus } from '../../kernel/statuses.ts'
import type { Context } from '../context.ts'
import type { DraftRow } from './draft.ts'

export type LockedCampaign = DraftRow & {
  creatorId: string
  creatorName: string | null
  endsAt: Date | null
  title: string
  description: string
  category: string | null
  location: Record<string, unknown> | null
  status: CampaignStatus
  accountProvenAt: Date | null
}

/**
 * Locks a campaign of the caller until the transaction ends. What belongs to it may still be added,
 * unless it is locked for its removal.
 *
 * @throws DomainError `not_found`, `forbidden`
 */
export const lockCampaign = async (
  { sql, actor }: Context,
  id: string,
  { forRemoval = false } = {},
): Promise<LockedCampaign> => {
  const [row] = await sql<LockedCampaign[]>`
    select id, creator_id, creator_name, title, slug, description, category, location, status,
           currency_id, target_amount, chain_id, account, account_proven_at, ends_at
    from campaign where id = ${id} ${forRemoval ? sql`for update` : sql`for no key update`}`
  const mine = row !== undefined && mayActFor(actor, row.creatorId)
  if (!row || (row.status === 'draft' && !mine)) throw noCampaign()
  if (!mine) throw new DomainError('forbidden', 'Only its creator changes a campaign.')
  return row
}

/**
 * Keeps a campaign from being removed until the transaction ends, for what is to belong to it.
 * Throws DomainError `not_found`.
 */
export const keepCampaign = async ({ sql }: Context, id: string): Promise<void> => {
  const kept = await sql`select from campaign where id = ${id} for key share`
  if (kept.length === 0) throw noCampaign()
}

const noCampaign = () => new DomainError('not_found', 'There is no such campaign.')
