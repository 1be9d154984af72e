import type { Context } from '../../../db/context.ts'
import { withTransaction } from '../../../db/transaction.ts'
import { mayActFor } from '../../../kernel/actor.ts'
import { DomainError } from '../../../kernel/errors.ts'
import type { CampaignStatus } from '../../../kernel/statuses.ts'
import { holdAccount } from '../../shared/index.ts'

/** The public name and message of a donor. */
export type DonorWords = { name?: string | undefined; message?: string | undefined }

/**
 * Returns the id of the donor: the user in the input, otherwise the caller; null for a guest.
 *
 * @throws DomainError `unauthenticated` if an anonymous caller names a user, `forbidden` if the
 *   caller may not act for the user
 */
export const donorOf = (ctx: Context, input: { userId?: string | undefined }): string | null => {
  const { actor } = ctx
  if (actor.kind === 'anonymous' && input.userId === undefined) return null
  if (actor.kind !== 'user') throw new DomainError('unauthenticated', 'Sign in to donate.')
  const userId = input.userId ?? actor.userId
  if (!mayActFor(actor, userId)) {
    throw new DomainError('forbidden', 'You can record donations only as yourself.')
  }
  return userId
}

/**
 * Runs `work`. For a donation with a name or a message, locks the caller's account first, so that
 * no name or message is stored after the account is deleted.
 */
export const holdIfSeen = <T>(
  ctx: Context,
  donor: DonorWords | undefined,
  work: (ctx: Context) => Promise<T>,
): Promise<T> =>
  donor?.name === undefined && donor?.message === undefined
    ? work(ctx)
    : withTransaction(ctx, async (ctx) => {
        await holdAccount(ctx)
        return work(ctx)
      })

/** @throws DomainError `campaign_not_active` unless the campaign is active or funded */
export const requireOpen = (status: CampaignStatus): void => {
  if (status === 'active' || status === 'funded') return
  throw new DomainError('campaign_not_active', 'This campaign does not take donations now.')
}
