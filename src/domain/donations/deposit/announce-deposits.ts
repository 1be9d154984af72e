import type { Context } from '../../../db/context.ts'
import { withTransaction } from '../../../db/transaction.ts'
import { toChecksumAddress } from '../../../kernel/formats/address.ts'
import type { NewEvent } from '../../../outbox/emit.ts'
import { moneyOf } from '../../books/index.ts'
import { emitAndNotify } from '../../people/index.ts'

type Row = {
  id: string
  campaignId: string | null
  creatorId: string
  assetId: string
  amount: string
  sender: string
  txHash: string
  minedAt: Date
  seenAt: Date
}

/**
 * Notifies campaign creators of deposits that no donor has claimed within the waiting time. A reorg
 * restarts this time. Returns the number of due deposits. Call again if the number is `limit`.
 */
export const announceDeposits = (ctx: Context, limit: number): Promise<number> =>
  withTransaction(ctx, async (ctx) => {
    const rows = await ctx.sql<Row[]>`
      with due as materialized (
        select id from chain_transfer where announce_at <= ${ctx.clock.now()}
        order by announce_at limit ${limit}
        for update skip locked
      ), announced as (
        update chain_transfer set announce_at = null from due where chain_transfer.id = due.id
        returning chain_transfer.*
      )
      select announced.*, deposit.campaign_id, campaign.creator_id
      from announced
      left join lateral (
        select entry.campaign_id from ledger_entry entry
        where entry.transfer_id = announced.id and entry.kind = 'deposit'
          and not exists (select from ledger_entry reversal where reversal.reverses = entry.id)
          and not exists (select from donation where donation.transfer_id = announced.id)
      ) deposit on true
      left join campaign on campaign.id = deposit.campaign_id
      order by announced.block_number, announced.id`
    const events = rows.flatMap((row) =>
      row.campaignId === null ? [] : [unclaimedEvent(ctx, row, row.campaignId)],
    )
    await emitAndNotify(ctx, events)
    return rows.length
  })

const unclaimedEvent = (ctx: Context, row: Row, campaignId: string): NewEvent => ({
  type: 'deposit.unclaimed',
  campaignId,
  audience: [row.creatorId],
  data: {
    depositId: row.id,
    campaignId,
    amount: moneyOf(ctx, row.assetId, row.amount),
    sender: toChecksumAddress(row.sender),
    transaction: { ledgerTxId: row.txHash, timestamp: row.minedAt.toISOString() },
    receivedAt: row.seenAt.toISOString(),
  },
})

/** Corrects announcement times that a wrong clock has set too far in the future. */
export const clampAnnouncements = async (ctx: Context, limit: number): Promise<number> => {
  const at = new Date(ctx.clock.now().getTime() + ctx.settings.depositGraceMs)
  const clamped = await ctx.sql`
    update chain_transfer set announce_at = ${at}
    where id in (
      select id from chain_transfer where announce_at > ${at} limit ${limit} for update skip locked)`
  return clamped.count
}
