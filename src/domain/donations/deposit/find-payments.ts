import type { Context } from '../../../db/context.ts'
import { type DepositView, findDeposits, toDepositView } from './find-deposits.ts'

/** At most this many transfers of one transaction are returned. */
const MAX_TRANSFERS = 20

/**
 * Reads the transfers of a transaction to a campaign, in their order. The list is empty while no
 * block that we know has the transaction.
 */
export const findPayments = async (
  ctx: Context,
  campaignId: string,
  txHash: string,
): Promise<DepositView[]> => {
  const found = await ctx.sql<{ id: string }[]>`
    select transfer.id
    from campaign cross join lateral (select * from chain_transfer
      where chain_id + 0 = campaign.chain_id and tx_hash = ${txHash} offset 0) transfer
    where campaign.id = ${campaignId} and transfer.recipient = campaign.account
      and transfer.block_number is not null
    order by transfer.position limit ${MAX_TRANSFERS}`
  const ids = found.map(({ id }) => id)
  const rows = await findDeposits(ctx, ids)
  return rows
    .filter((row) => row.campaignId === campaignId)
    .toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
    .map((row) => toDepositView(ctx, row))
}
