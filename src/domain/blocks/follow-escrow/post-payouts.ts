import type { Context } from '../../../db/context.ts'
import { type Line, postLines } from '../../books/index.ts'
import { type FollowedEvent, lineOf } from './due-events.ts'

/** A payment of an escrow to the recipient of its campaign. `milestoneId` is null for a surplus. */
export type Payout = {
  event: FollowedEvent & { kind: 'MilestoneReleased' | 'SurplusReleased' }
  milestoneId: string | null
}

/**
 * Posts two entries for each payment: from `held` to `released`, which names the milestone, and
 * from `custody` to `paid`. `held` may become negative, because an escrow also releases money for
 * which no donation is recorded.
 */
export const postPayouts = (ctx: Context, payouts: readonly Payout[]): Promise<void> =>
  postLines(ctx, payouts.flatMap(linesOf))

const linesOf = ({ event, milestoneId }: Payout): Line[] => {
  const common = { ...lineOf(event), assetId: event.currencyId, amount: event.fields.amount }
  return [
    { ...common, kind: 'release', debitKind: 'held', creditKind: 'released', milestoneId },
    { ...common, kind: 'payout', debitKind: 'paid', creditKind: 'custody' },
  ]
}
