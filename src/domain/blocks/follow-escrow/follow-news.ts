import type { Context } from '../../../db/context.ts'
import { toChecksumAddress } from '../../../kernel/formats/address.ts'
import type { NewEvent } from '../../../outbox/emit.ts'
import { moneyOf } from '../../books/index.ts'
import type { FollowedEvent } from './due-events.ts'
import type { NamedMilestone } from './named-milestones.ts'

/** The events of this service about events of escrows. */

type Of<K extends FollowedEvent['kind']> = Extract<FollowedEvent, { kind: K }>

export const releasedEvent = (
  ctx: Context,
  event: Of<'MilestoneReleased'>,
  milestone: NamedMilestone,
  verifiers: string[],
): NewEvent => ({
  type: 'milestone.released',
  campaignId: event.campaignId,
  audience: [event.creatorId, ...verifiers],
  data: {
    ...aboutMilestone(ctx, event, milestone),
    verifiers,
    releasedAt: ctx.clock.now().toISOString(),
    transaction: transactionOf(event),
  },
})

export const releaseRevertedEvent = (
  ctx: Context,
  event: Of<'MilestoneReleased'>,
  milestone: NamedMilestone,
): NewEvent => ({
  type: 'milestone.release.reverted',
  ...subjectOf(event),
  data: {
    ...aboutMilestone(ctx, event, milestone),
    transaction: { ledgerTxId: event.txHash },
    revertedAt: ctx.clock.now().toISOString(),
  },
})

export const surplusEvent = (ctx: Context, event: Of<'SurplusReleased'>): NewEvent => ({
  type: 'campaign.surplus.released',
  ...subjectOf(event),
  data: {
    campaignId: event.campaignId,
    amount: moneyOf(ctx, event.currencyId, event.fields.amount),
    recipient: toChecksumAddress(event.fields.recipient),
    transaction: transactionOf(event),
    releasedAt: ctx.clock.now().toISOString(),
  },
})

export const failedEvent = (ctx: Context, event: Of<'Failed'>): NewEvent => ({
  type: 'campaign.failed',
  ...subjectOf(event),
  data: {
    campaignId: event.campaignId,
    reason: event.fields.reason,
    refundable: moneyOf(ctx, event.currencyId, event.fields.pool),
    transaction: transactionOf(event),
    failedAt: ctx.clock.now().toISOString(),
  },
})

/** The time of a block: it is the time of the payment on the chain. */
const transactionOf = ({ txHash, minedAt }: FollowedEvent) => ({
  ledgerTxId: txHash,
  timestamp: minedAt.toISOString(),
})

const subjectOf = ({ campaignId, creatorId }: FollowedEvent) => ({
  campaignId,
  audience: [creatorId],
})

const aboutMilestone = (
  ctx: Context,
  { campaignId, currencyId, fields }: Of<'MilestoneReleased'>,
  { id, title }: NamedMilestone,
) => ({
  campaignId,
  milestoneId: id,
  title,
  amount: moneyOf(ctx, currencyId, fields.amount),
})
