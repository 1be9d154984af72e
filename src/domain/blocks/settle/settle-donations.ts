import type { Context } from '../../../db/context.ts'
import type { MinedTransfer } from '../../../db/schema/chains.ts'
import type { Donation } from '../../../db/schema/donations.ts'
import { onCommit } from '../../../db/transaction.ts'
import { asBaseUnits } from '../../../kernel/money/money.ts'
import type { NewEvent } from '../../../outbox/emit.ts'
import {
  addToTotals,
  andPricesAreRead,
  type Converted,
  type Credit,
  convertTransfer,
  loadPrices,
  postCredits,
  type StoredPrices,
  waitForPrice,
} from '../../books/index.ts'
import { completeIfDone } from '../../campaigns/index.ts'
import {
  becomes,
  completedEvent,
  type EventSubject,
  failedEvent,
  isDiscrepant,
} from '../../donations/index.ts'
import { emitAndNotify } from '../../people/index.ts'
import { startSettleSpans } from './settle-spans.ts'

/** At most this many donations are settled in one transaction, so that locks are held briefly. */
export const SETTLE_BATCH = 2_000

type Transfer = Pick<
  MinedTransfer,
  'assetId' | 'amount' | 'generation' | 'blockHash' | 'minedAt'
> & {
  transferId: string
}

/** A donation in a final block. Without a transfer, all fields of `Transfer` are null. */
type FinalRow = EventSubject &
  Pick<Donation, 'traceParent' | 'reason' | 'declaredAssetId' | 'declaredAmount'> & {
    blockNumber: number
    currencyId: string
  } & { [Column in keyof Transfer]: Transfer[Column] | null }

/** A donation that gets a credit, and the price that converted the transfer's amount. */
type PricedDonation = Omit<FinalRow, keyof Transfer> & Credit & Converted

/**
 * Settles the donations in final blocks. A donation with a transfer is credited, and a donation
 * without a transfer fails. Skips donations whose price is not stored yet. Writes everything in the
 * caller's transaction, which holds the chain's lock.
 *
 * @returns the number of donations in this batch; the caller calls again until this number is 0
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
  const credits: PricedDonation[] = []
  const unpriced: FinalRow[] = []
  const failed: FinalRow[] = []
  for (const row of rows) {
    if (row.transferId === null) failed.push(row)
    else {
      const priced = priceDonation(ctx, row, prices)
      if (priced) credits.push(priced)
      else unpriced.push(row)
    }
  }
  const spans = startSettleSpans(ctx, chainId, rows)
  const thresholds = await complete(ctx, credits)
  await fail(ctx, failed)
  await waitForPrice(ctx, unpriced)
  const events = [
    ...credits.map((credit) => ({
      ...completedEvent(ctx, credit, credit, headNumber),
      traceParent: spans.of(credit),
    })),
    ...thresholds,
    ...failed.map((row) => ({ ...failedEvent(row, row.reason), traceParent: spans.of(row) })),
  ]
  const traced = { ...ctx, traceParent: spans.batch }
  await emitAndNotify(traced, events)
  await completeIfDone(traced, fundedIn(thresholds))
  onCommit(ctx, () => {
    spans.end()
    const ended = credits.length + failed.length
    ctx.metrics.count('fundproof_donations_settled_total', { chain: chainId }, ended)
  })
  return rows.length
}

/**
 * Converts a final transfer to the campaign's currency. Returns undefined if the donation has to
 * wait because no price is known, an asset is not configured any more, or the result is too large.
 */
const priceDonation = (
  ctx: Context,
  row: FinalRow,
  stored: StoredPrices,
): PricedDonation | undefined => {
  if (!isMined(row)) return undefined
  if (!ctx.settings.assets.all.some((asset) => asset.id === row.declaredAssetId)) return undefined
  const arrived = { ...row, amount: asBaseUnits(row.amount) }
  const converted = convertTransfer(ctx, stored, arrived)
  return converted && { ...arrived, ...converted, donationId: row.id }
}

/** The campaigns that reach their target now. Their milestones may all be released before. */
const fundedIn = (thresholds: readonly NewEvent[]): string[] =>
  thresholds.flatMap(({ type, campaignId }) =>
    type === 'campaign.funded' && campaignId ? [campaignId] : [],
  )

const isMined = (row: FinalRow): row is FinalRow & Transfer =>
  row.transferId !== null && row.blockHash !== null && row.minedAt !== null

const complete = async (ctx: Context, credits: readonly PricedDonation[]): Promise<NewEvent[]> => {
  if (credits.length === 0) return []
  await postCredits(ctx, credits)
  const rows = credits.map((credit) => ({
    id: credit.id,
    credited: credit.credited.toString(),
    price: credit.price,
    source: credit.source,
    discrepancy: isDiscrepant(credit, credit),
  }))
  await ctx.sql`
    update donation
    set ${becomes(ctx.sql, 'complete')}, reason = 'completed', credited_amount = row.credited,
        price = row.price, price_source = row.source, discrepancy = row.discrepancy,
        completed_at = ${ctx.clock.now()}, next_check_at = null
    from jsonb_to_recordset(${ctx.sql.json(rows)})
      as row (id uuid, credited numeric, price text, source jsonb, discrepancy boolean)
    where donation.id = row.id`
  return addToTotals(ctx, credits)
}

const fail = async (ctx: Context, rows: readonly FinalRow[]): Promise<void> => {
  if (rows.length === 0) return
  await ctx.sql`
    update donation set ${becomes(ctx.sql, 'fail')}
    where id = any(${rows.map((row) => row.id)}::uuid[])`
}
