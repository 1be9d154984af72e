import { refundTree } from '../../../chain/escrow/merkle.ts'
import type { Context } from '../../context.ts'
import { readEscrowState } from '../escrow-state.ts'
import { type Escrow, requireEscrow } from '../require-escrow.ts'
import { type DonorRefund, readRecordedRefund, readRefundByRoot } from './donor-refund.ts'
import { notFailed } from './find-donation-refund.ts'
import { findProposedRoots } from './find-proposed-roots.ts'

/** The refunds of an account, as stored blocks show them. */
export type AccountRefunds = {
  escrow: Escrow
  /** The refund of recorded donations first, then one for each asset of the root in force. */
  refunds: DonorRefund[]
  /** When the account can claim more, by a root that waits; null without such a root. */
  waitingUntil: Date | null
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
  const { inForce, waiting } = await findProposedRoots(ctx, escrow, state)
  const leaves = inForce?.leaves ?? []
  const own = leaves.filter(({ donor }) => donor === account)
  const refunds: DonorRefund[] = []
  if (state.state === 'failed' && (await isRecorded(ctx, escrow, account))) {
    refunds.push(await readRecordedRefund(ctx, escrow, account))
  }
  if (own.length > 0) {
    const tree = await refundTree(leaves)
    for (const leaf of own) refunds.push(await readRefundByRoot(ctx, escrow, tree, leaf))
  }
  const getsMore = waiting?.leaves.some(
    ({ asset, donor, amount }) =>
      donor === account &&
      BigInt(amount) > BigInt(own.find((leaf) => leaf.asset === asset)?.amount ?? 0),
  )
  return { escrow, refunds, waitingUntil: waiting && getsMore ? waiting.readyAt : null }
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
