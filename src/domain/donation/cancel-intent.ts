import { withTransaction } from '../../db/transaction.ts'
import { DomainError } from '../../kernel/errors.ts'
import type { Context } from '../context.ts'
import { holdIntent } from './hold-intent.ts'

export const CANCELLED = 'cancelled'

/**
 * Cancels an intent that nothing has paid, also one that has expired. What its wallet pays later is
 * a deposit.
 *
 * @throws DomainError `not_found`, `forbidden`, `conflict` for one that is paid
 */
export const cancelIntent = (ctx: Context, id: string): Promise<void> =>
  withTransaction(ctx, async (ctx) => {
    const intent = await holdIntent(ctx, id)
    if (intent.status === 'failed' && intent.reason === CANCELLED) return
    if (intent.status !== 'pending' && intent.status !== 'expired') {
      throw new DomainError('conflict', 'This donation is paid already.')
    }
    await ctx.sql`
      update donation
      set status = 'failed', reason = ${CANCELLED}, next_check_at = null, lost_transfer_id = null
      where id = ${id}`
  })
