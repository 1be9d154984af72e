import type { Queryable } from '../../../db/client.ts'
import type { Context } from '../../../db/context.ts'
import type { Campaign } from '../../../db/schema/campaigns.ts'
import type { Donation } from '../../../db/schema/donations.ts'
import type { NewEvent } from '../../../outbox/emit.ts'
import type { ReversalReason } from '../../../outbox/events.ts'
import { type Credit, moneyOf } from '../../books/index.ts'
import { type CreditedMoney, isDiscrepant, toCreditedAmounts } from './donation-amounts.ts'

export type EventSubject = Pick<Donation, 'id' | 'userId' | 'campaignId' | 'requestId'> &
  Pick<Campaign, 'creatorId'> & { txHash: string }

export type CreditedDonation = EventSubject & CreditedMoney

/** SQL for the columns of `EventSubject`, from tables named `donation` and `campaign`. */
export const subjectColumns = (sql: Queryable) => sql`
  donation.id, donation.user_id, donation.campaign_id, donation.request_id, donation.tx_hash,
  campaign.creator_id`

const about = ({ campaignId, userId, creatorId, requestId }: EventSubject) => ({
  campaignId,
  audience: [userId, creatorId],
  requestId,
})

export const completedEvent = (
  ctx: Context,
  row: EventSubject & Pick<Donation, 'declaredAmount' | 'declaredAssetId'>,
  credit: Credit,
  headNumber: number,
): NewEvent => ({
  type: 'donation.completed',
  ...about(row),
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

export const failedEvent = (row: EventSubject, reason: string): NewEvent => ({
  type: 'donation.failed',
  ...about(row),
  data: {
    donationId: row.id,
    campaignId: row.campaignId,
    status: 'failed',
    reason,
    transaction: { ledgerTxId: row.txHash },
    userId: row.userId,
  },
})

export const reversedEvent = (
  ctx: Context,
  row: CreditedDonation,
  reason: ReversalReason,
  currentAmount: bigint,
): NewEvent => ({
  type: 'donation.reversed',
  ...about(row),
  data: {
    donationId: row.id,
    campaignId: row.campaignId,
    ...toCreditedAmounts(ctx, row),
    status: 'reversed',
    reason,
    transaction: { ledgerTxId: row.txHash },
    userId: row.userId,
    currentAmount: moneyOf(ctx, row.currencyId, currentAmount.toString()),
    reversedAt: ctx.clock.now().toISOString(),
  },
})

export const reopenedEvent = (ctx: Context, row: EventSubject): NewEvent => ({
  type: 'donation.reopened',
  ...about(row),
  data: {
    donationId: row.id,
    campaignId: row.campaignId,
    status: 'pending',
    transaction: { ledgerTxId: row.txHash },
    userId: row.userId,
    reopenedAt: ctx.clock.now().toISOString(),
  },
})
