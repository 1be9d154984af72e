import { withTransaction } from '../../db/transaction.ts'
import { toChecksumAddress } from '../../kernel/address.ts'
import { emit, type NewEvent } from '../../outbox/emit.ts'
import type { Context } from '../context.ts'
import { notifyOfEvents } from '../notification/index.ts'
import { moneyOf } from '../total/index.ts'

type Row = {
  id: string
  campaign_id: string | null
  creator_id: string
  asset_id: string
  amount: string
  sender: string
  tx_hash: string
  mined_at: Date
  seen_at: Date
}

/**
 * Tells creators of deposits whose grace is over and that still nobody has claimed: each once, and
 * once more where a reorganisation took it back and it was booked again. Returns how many were due;
 * call again while that is `limit`.
 */
export const announceDeposits = (ctx: Context, limit: number): Promise<number> =>
  withTransaction(ctx, async (ctx) => {
    const rows = await ctx.sql<Row[]>`
      with due as materialized (
        select id from chain_transfer where announce_at <= ${ctx.clock.now()}
        order by announce_at limit ${limit}
        for update skip locked
      ), told as (
        update chain_transfer set announce_at = null from due where chain_transfer.id = due.id
        returning chain_transfer.*
      )
      select told.*, deposit.campaign_id, campaign.creator_id
      from told
      left join lateral (
        select entry.campaign_id from ledger_entry entry
        where entry.transfer_id = told.id and entry.kind = 'deposit'
          and not exists (select from ledger_entry reversal where reversal.reverses = entry.id)
          and not exists (select from donation where donation.transfer_id = told.id)
      ) deposit on true
      left join campaign on campaign.id = deposit.campaign_id
      order by told.block_number, told.id`
    const events = rows.flatMap((row) =>
      row.campaign_id === null ? [] : [unclaimedEvent(ctx, row, row.campaign_id)],
    )
    await emit(ctx, events)
    await notifyOfEvents(ctx, events)
    return rows.length
  })

const unclaimedEvent = (ctx: Context, row: Row, campaignId: string): NewEvent => ({
  type: 'deposit.unclaimed',
  campaignId,
  audience: [row.creator_id],
  data: {
    depositId: row.id,
    campaignId,
    amount: moneyOf(ctx, row.asset_id, row.amount),
    sender: toChecksumAddress(row.sender),
    transaction: { ledgerTxId: row.tx_hash, timestamp: row.mined_at.toISOString() },
    receivedAt: row.seen_at.toISOString(),
  },
})
