import type { Context } from '../context.ts'
import { offerToIntents } from './match-intents.ts'

const BATCH = 1_000

/**
 * Takes up intents whose turn it is: one that was recorded after its payment had been seen is given
 * it, and one whose time is over expires. It is still paid should a transfer come later. The caller
 * holds the chain's lock. Returns how many were paid or expired.
 */
export const checkDueIntents = async (ctx: Context, chainId: number): Promise<number> => {
  const now = ctx.clock.now()
  const due = await ctx.sql<{ id: string; transferId: string | null }[]>`
    with due as materialized (
      select * from donation
      where chain_id = ${chainId} and status = 'pending' and intent and next_check_at <= ${now}
      order by next_check_at limit ${BATCH}
    )
    select due.id, transfer.id as transfer_id
    from due
    join campaign on campaign.id = due.campaign_id
    left join chain_transfer transfer
      on transfer.chain_id = due.chain_id and transfer.sender = due.donor_wallet
     and transfer.recipient = campaign.account and transfer.block_number is not null
     and transfer.mined_at >= date_trunc('second', due.created_at)
     and not exists (select from donation holder where holder.transfer_id = transfer.id)`
  if (due.length === 0) return 0
  const transferIds = due.flatMap((row) => (row.transferId === null ? [] : [row.transferId]))
  const paid = await offerToIntents(ctx, chainId, [...new Set(transferIds)])
  const expired = await ctx.sql<{ over: boolean }[]>`
    update donation
    set status = case when expires_at <= ${now} then 'expired' else status end,
        reason = case when expires_at <= ${now} then 'payment_not_received' else reason end,
        next_check_at = case when expires_at <= ${now} then null else expires_at end
    where id = any(${[...new Set(due.map((row) => row.id))]}::uuid[]) and status = 'pending'
    returning status = 'expired' as over`
  return paid + expired.filter((row) => row.over).length
}
