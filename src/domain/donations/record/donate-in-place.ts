import type { Context } from '../../../db/context.ts'
import { withTransaction } from '../../../db/transaction.ts'
import { holdAccount } from '../../shared/index.ts'
import { cancelIntent } from '../donation/change-donation.ts'
import type { RecordDonation } from '../donation/schemas.ts'
import { type Donated, donate } from './donate.ts'
import type { Screened } from './screen-donation.ts'

/**
 * Records a donation by its transaction, and cancels the unpaid intent of the same donor. If the
 * payment cannot be recorded, the intent stays open. A guest sends the intent's claim token.
 *
 * @throws DomainError as `cancelIntent` and `donate` do
 */
export const donateInPlace = (
  ctx: Context,
  intentId: string,
  input: Screened<RecordDonation>,
  claimToken?: string,
): Promise<Donated> =>
  withTransaction(ctx, async (ctx) => {
    await holdAccount(ctx)
    await cancelIntent(ctx, intentId, claimToken)
    return donate(ctx, input)
  })
