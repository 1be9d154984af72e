import { DomainError } from '../../kernel/errors.ts'
import { asBaseUnits } from '../../kernel/money.ts'
import { emit } from '../../outbox/emit.ts'
import type { ReversalReason } from '../../outbox/events.ts'
import type { ChainState } from '../chain-state/index.ts'
import type { Context } from '../context.ts'
import { type Credit, postCredits, reverseCredits } from '../ledger/index.ts'
import { notifyOfEvents } from '../notification/index.ts'
import type { CreditedMoney } from './donation-amounts.ts'
import { reversedEvent } from './revert-donations.ts'
import { completedEvent, isDiscrepant } from './settle-donations.ts'

export const MOVED = 'moved_to_wallet_owner'
/** A guest's donation, which an account has recorded. */
export const MOVED_TO_ACCOUNT = 'moved_to_account'

/** A transfer to a campaign's account that a canonical block holds. */
export type StandingTransfer = {
  id: string
  chainId: number
  txHash: string
  position: number
  assetId: string
  sender: string
  amount: string
  blockNumber: number
  blockHash: string
  minedAt: Date
}

/** A donation that was credited with a transfer, as it was before it lost it. */
export type CreditedClaim = CreditedMoney & {
  id: string
  userId: string | null
  campaignId: string
  creatorId: string
  txHash: string
  requestId: string | null
  price: string | null
  priceSource: Parameters<Context['sql']['json']>[0] | null
}

type CompletedRow = {
  id: string
  userId: string | null
  campaignId: string
  txHash: string
  requestId: string | null
  declaredAssetId: string
  declaredAmount: string
}

/**
 * Moves a credit from one donation to another: reversed for the first, posted for the second as
 * the transfer's next generation, at the value that it had. The campaign has raised the same before
 * and after, so its total and its thresholds are not touched. The caller holds the chain's lock and
 * has attached the transfer to the second donation.
 */
export const moveCredit = async (
  ctx: Context,
  state: ChainState,
  transfer: StandingTransfer,
  from: CreditedClaim,
  to: { donationId: string; reason: ReversalReason },
): Promise<void> => {
  const [assetId, amount] = from.arrived
  await reverseCredits(ctx, [transfer.id])
  const [raised] = await ctx.sql<{ generation: number }[]>`
    update chain_transfer set generation = generation + 1 where id = ${transfer.id}
    returning generation`
  const credit: Credit = {
    donationId: to.donationId,
    campaignId: from.campaignId,
    creatorId: from.creatorId,
    transferId: transfer.id,
    generation: raised?.generation ?? 0,
    assetId,
    amount: asBaseUnits(amount),
    currencyId: from.currencyId,
    credited: asBaseUnits(from.creditedAmount),
    blockNumber: transfer.blockNumber,
    blockHash: transfer.blockHash,
    minedAt: transfer.minedAt,
  }
  await postCredits(ctx, [credit])
  await complete(ctx, state, credit, { ...from, reason: to.reason })
}

const complete = async (
  ctx: Context,
  state: ChainState,
  credit: Credit,
  from: CreditedClaim & { reason: ReversalReason },
): Promise<void> => {
  const [row] = await ctx.sql<CompletedRow[]>`
    select id, user_id, campaign_id, tx_hash, request_id, declared_asset_id, declared_amount
    from donation where id = ${credit.donationId}`
  if (!row) throw new DomainError('internal', 'There is no donation to move the credit to.')
  await ctx.sql`
    update donation
    set status = 'completed', reason = 'completed', credited_amount = ${from.creditedAmount},
        price = ${from.price}, discrepancy = ${isDiscrepant(row, credit)},
        price_source = ${from.priceSource === null ? null : ctx.sql.json(from.priceSource)},
        completed_at = ${ctx.clock.now()}, next_check_at = null
    where id = ${row.id}`
  const [total] = await ctx.sql<{ raised: string }[]>`
    select raised from campaign_total where campaign_id = ${from.campaignId}`
  const events = [
    reversedEvent(ctx, from, from.reason, BigInt(total?.raised ?? 0)),
    completedEvent(ctx, { ...row, creatorId: from.creatorId }, credit, state.headNumber),
  ]
  await emit(ctx, events)
  await notifyOfEvents(ctx, events)
}
