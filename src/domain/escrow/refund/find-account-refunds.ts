import type { Context } from '../../context.ts'
import { readEscrowState } from '../escrow-state.ts'
import { type Escrow, requireEscrow } from '../require-escrow.ts'
import { type DonorRefund, readRecordedRefund, toRefund } from './donor-refund.ts'
import { notFailed } from './not-failed.ts'
import { readUnrecorded } from './unrecorded.ts'

/** The refunds of an account, as stored blocks show them. */
export type AccountRefunds = {
  escrow: Escrow
  /** The refund of recorded donations first, then one for each transfer that was not recorded. */
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
  const isRefunded = state.state === 'failed' && (await isRecorded(ctx, escrow, account))
  const recorded = isRefunded ? [await readRecordedRefund(ctx, escrow, account)] : []
  const paid = ctx.sql`transfer.sender = ${account}`
  const transfers = (await readUnrecorded(ctx, escrow, state, paid)).map(toRefund)
  return { escrow, refunds: [...recorded, ...transfers.filter(({ amount }) => amount !== null)] }
}

/** Whether the contract has recorded a donation of the account. The index finds it by the donor. */
const isRecorded = async (
  { sql }: Context,
  { campaignId }: Escrow,
  account: string,
): Promise<boolean> => {
  const rows = await sql`
    select from escrow_event
    where campaign_id = ${campaignId} and kind = 'Donated' and fields ->> 'donor' = ${account}
      and settled_at is not null
    limit 1`
  return rows.length > 0
}
