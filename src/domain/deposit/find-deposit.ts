import type { Context } from '../context.ts'
import { campaignOfTransfer } from '../ledger/index.ts'
import type { DepositRow } from './deposit-view.ts'

/** What is read of a transfer; the FROM names `transfer`, `donation` and `chain_state`. */
export const depositColumns = (ctx: Context) => ctx.sql`
  transfer.id, transfer.chain_id, transfer.tx_hash, transfer.position, transfer.asset_id,
  transfer.sender, transfer.recipient, transfer.amount, transfer.block_number,
  transfer.block_hash, transfer.mined_at, donation.id as donation_id,
  transfer.block_number <= least(chain_state.finalized_number, chain_state.cursor_number) as final`

/**
 * A transfer that a block of the chain holds now, with the campaign that it belongs to: that of the
 * donation that has it, else the one whose account it was when it was mined.
 */
export const findDeposit = async (ctx: Context, id: string): Promise<DepositRow | undefined> => {
  const [row] = await ctx.sql<DepositRow[]>`
    select ${depositColumns(ctx)}, coalesce(donation.campaign_id, paid.id) as campaign_id
    from chain_transfer transfer
    join chain_state on chain_state.chain_id = transfer.chain_id
    left join donation on donation.transfer_id = transfer.id
    left join lateral (${campaignOfTransfer(ctx.sql)}) paid on true
    where transfer.id = ${id} and transfer.block_number is not null
      and coalesce(donation.campaign_id, paid.id) is not null`
  return row
}
