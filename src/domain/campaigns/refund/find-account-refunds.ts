import type { Context } from '../../../db/context.ts'
import { readEscrowState } from '../escrow/escrow-state.ts'
import { type Escrow, requireEscrow } from '../escrow/require-escrow.ts'
import { type DonorRefund, isDue, readRecordedRefund, toRefund } from './donor-refund.ts'
import { notFailed } from './not-failed.ts'
import { readUnrecorded } from './unrecorded.ts'

/** A stranger can send any number of transfers. `listReturns` has all. */
const MAX_SHOWN = 100

/** The refunds of an account, as stored blocks show them. */
type AccountRefunds = {
  escrow: Escrow
  /** The refund of recorded donations first, then of the first 100 that were not recorded. */
  refunds: DonorRefund[]
}

/**
 * Finds the refunds of an account in the database, without a question to a node. They do not depend
 * on donations that a person has recorded in the service. The address is lower case.
 *
 * @throws DomainError
 * - `not_found`; `not_escrowed` for a campaign without an escrow
 * - `campaign_not_failed` if the escrow has not ended
 */
export const findAccountRefunds = async (
  ctx: Context,
  campaignId: string,
  account: string,
): Promise<AccountRefunds> => {
  const escrow = await requireEscrow(ctx, campaignId)
  const state = await readEscrowState(ctx, escrow)
  if (state.state !== 'failed' && state.state !== 'done') throw notFailed(state, escrow)
  const hasFailed = state.state === 'failed'
  const recorded = hasFailed ? await readRecordedRefund(ctx, escrow, state, account) : null
  const paid = ctx.sql`transfer.sender = ${account}`
  const transfers = await readUnrecorded(ctx, escrow, state, paid, MAX_SHOWN)
  const returns = transfers.map((transfer) => toRefund(ctx, escrow, transfer)).filter(isDue)
  return { escrow, refunds: [...(recorded ? [recorded] : []), ...returns] }
}
