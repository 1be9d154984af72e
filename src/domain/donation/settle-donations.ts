import { onCommit } from '../../db/transaction.ts'
import { emit, type NewEvent } from '../../outbox/emit.ts'
import type { Context } from '../context.ts'
import { type Credit, postCredits } from '../ledger/index.ts'
import { notifyOfEvents } from '../notification/index.ts'
import { andPricesAreRead, loadPrices, waitForPrice } from '../price/index.ts'
import { addToTotals } from '../total/index.ts'
import { toCreditedAmounts } from './donation-amounts.ts'
import { type FinalRow, type PricedCredit, toCredit } from './price-donation.ts'
import { startSettleSpans } from './settle-spans.ts'

/**
 * How many donations one transaction settles: large enough to share its cost, short enough to hold
 * locks.
 */
export const SETTLE_BATCH = 2_000

/**
 * Settles donations whose block is final: credits what arrived, or fails what brought nothing.
 * Ledger entries, status, totals, thresholds and events are one transaction, the caller's, which
 * holds the chain's lock. What a feed has to price first is left. Returns how many were settled;
 * call again until it is 0.
 */
export const settleDonations = async (
  ctx: Context,
  chainId: number,
  finalizedNumber: number,
  headNumber: number,
): Promise<number> => {
  const rows = await ctx.sql<FinalRow[]>`
    select donation.id, donation.user_id, donation.campaign_id, donation.tx_hash,
           donation.request_id, donation.trace_parent, donation.reason, donation.block_number,
           donation.declared_asset_id, donation.declared_amount,
           transfer.id as transfer_id, transfer.asset_id, transfer.amount, transfer.generation,
           transfer.block_hash, transfer.mined_at, campaign.currency_id, campaign.creator_id
    from donation
    join campaign on campaign.id = donation.campaign_id
    left join chain_transfer transfer on transfer.id = donation.transfer_id
    where donation.chain_id = ${chainId} and donation.status = 'confirming'
      and donation.block_number <= ${finalizedNumber}
      and (donation.next_check_at is null or donation.next_check_at <= ${ctx.clock.now()})
      ${andPricesAreRead(ctx, chainId)}
    order by donation.block_number, donation.id
    limit ${SETTLE_BATCH}`
  if (rows.length === 0) return 0
  const prices = await loadPrices(ctx, chainId, rows)
  const credits: { row: FinalRow; credit: PricedCredit }[] = []
  const unpriced: FinalRow[] = []
  const failed: FinalRow[] = []
  for (const row of rows) {
    if (row.transferId === null) failed.push(row)
    else {
      const credit = toCredit(ctx, row, prices)
      if (credit) credits.push({ row, credit })
      else unpriced.push(row)
    }
  }
  const spans = startSettleSpans(ctx, chainId, rows)
  const thresholds = await complete(ctx, credits)
  await fail(ctx, failed)
  await waitForPrice(ctx, unpriced)
  const events = [
    ...credits.map(({ row, credit }) => ({
      ...completedEvent(ctx, row, credit, headNumber),
      traceParent: spans.of(row),
    })),
    ...thresholds,
    ...failed.map((row) => ({ ...failedEvent(row), traceParent: spans.of(row) })),
  ]
  await emit({ ...ctx, traceParent: spans.batch }, events)
  await notifyOfEvents(ctx, events)
  onCommit(ctx, () => {
    spans.end()
    const ended = credits.length + failed.length
    ctx.metrics.count('fundproof_donations_settled_total', { chain: chainId }, ended)
  })
  return rows.length
}

const complete = async (
  ctx: Context,
  credits: { row: FinalRow; credit: PricedCredit }[],
): Promise<NewEvent[]> => {
  if (credits.length === 0) return []
  await postCredits(
    ctx,
    credits.map(({ credit }) => credit),
  )
  const rows = credits.map(({ row, credit }) => ({
    id: row.id,
    credited: credit.credited.toString(),
    price: credit.price,
    source: credit.source,
    discrepancy: isDiscrepant(row, credit),
  }))
  await ctx.sql`
    update donation
    set status = 'completed', reason = 'completed', credited_amount = row.credited,
        price = row.price, price_source = row.source, discrepancy = row.discrepancy, completed_at = ${ctx.clock.now()},
        next_check_at = null
    from jsonb_to_recordset(${ctx.sql.json(rows)})
      as row (id uuid, credited numeric, price text, source jsonb, discrepancy boolean)
    where donation.id = row.id`
  return addToTotals(
    ctx,
    credits.map(({ credit }) => credit),
  )
}

/** Whether what arrived differs from what was declared, in the asset that it was declared in. */
export const isDiscrepant = (
  row: Pick<FinalRow, 'declaredAmount' | 'declaredAssetId'>,
  credit: Credit,
): boolean => {
  const declared = BigInt(row.declaredAmount)
  if (row.declaredAssetId === credit.assetId) return declared !== credit.amount
  return row.declaredAssetId !== credit.currencyId || declared !== credit.credited
}

const fail = async (ctx: Context, rows: readonly FinalRow[]): Promise<void> => {
  if (rows.length === 0) return
  await ctx.sql`
    update donation set status = 'failed'
    where id = any(${rows.map((row) => row.id)}::uuid[])`
}

type ToldRow = Pick<FinalRow, 'id' | 'userId' | 'creatorId' | 'campaignId' | 'txHash' | 'requestId'>

export const completedEvent = (
  ctx: Context,
  row: ToldRow & Pick<FinalRow, 'declaredAmount' | 'declaredAssetId'>,
  credit: Credit,
  headNumber: number,
): NewEvent => ({
  type: 'donation.completed',
  campaignId: row.campaignId,
  audience: [row.userId, row.creatorId],
  requestId: row.requestId,
  data: {
    donationId: row.id,
    campaignId: row.campaignId,
    ...toCreditedAmounts(ctx, {
      declaredAssetId: row.declaredAssetId,
      declaredAmount: row.declaredAmount,
      discrepancy: isDiscrepant(row, credit),
      arrived: [credit.assetId, credit.amount.toString()],
      currencyId: credit.currencyId,
      creditedAmount: credit.credited.toString(),
    }),
    status: 'completed',
    transaction: { ledgerTxId: row.txHash, timestamp: credit.minedAt.toISOString() },
    userId: row.userId,
    confirmations: headNumber - credit.blockNumber + 1,
  },
})

export const failedEvent = (row: ToldRow & { reason: string }): NewEvent => ({
  type: 'donation.failed',
  campaignId: row.campaignId,
  audience: [row.userId, row.creatorId],
  requestId: row.requestId,
  data: {
    donationId: row.id,
    campaignId: row.campaignId,
    status: 'failed',
    reason: row.reason,
    transaction: { ledgerTxId: row.txHash },
    userId: row.userId,
  },
})
