import type { Context } from '../../../db/context.ts'
import { unpackTerms } from '../../../escrow/terms.ts'
import { type Line, postLines } from '../../books/index.ts'
import { completeIfDone } from '../../campaigns/index.ts'
import { emitAndNotify } from '../../people/index.ts'
import { type FollowedEvent, lineOf, ofKind } from './due-events.ts'
import { releasedEvent, surplusEvent } from './follow-news.ts'
import { namedMilestones } from './named-milestones.ts'

type Release = Extract<FollowedEvent, { kind: 'MilestoneReleased' }>

/**
 * Books the payments of escrows to recipients, and releases their milestones, also milestones that
 * no verifier approved here. The raised totals stay the same. Completes campaigns that are done.
 */
export const settleReleases = async (
  ctx: Context,
  events: readonly FollowedEvent[],
): Promise<void> => {
  const releases = ofKind(events, 'MilestoneReleased')
  const surpluses = ofKind(events, 'SurplusReleased')
  if (releases.length + surpluses.length === 0) return
  const milestones = await namedMilestones(ctx, releases)
  const payouts: Payout[] = [
    ...releases.map((event) => ({ event, milestoneId: milestones.get(event.id)?.id ?? null })),
    ...surpluses.map((event) => ({ event, milestoneId: null })),
  ]
  await postPayouts(ctx, payouts)
  await ctx.sql`
    update milestone set status = 'released', released_at = ${ctx.clock.now()}
    where id = any(${payouts.flatMap(({ milestoneId }) => milestoneId ?? [])}::uuid[])
      and status <> 'released'`
  const verifiers = await verifiersOf(ctx, releases)
  await emitAndNotify(ctx, [
    ...releases.flatMap((event) => {
      const milestone = milestones.get(event.id)
      return milestone ? [releasedEvent(ctx, event, milestone, verifiers(event))] : []
    }),
    ...surpluses.map((event) => surplusEvent(ctx, event)),
  ])
  await completeIfDone(ctx, [...new Set(releases.map(({ campaignId }) => campaignId))])
}

/** Returns a function that gives the users whose linked wallets signed a release. */
const verifiersOf = async (
  ctx: Context,
  releases: readonly Release[],
): Promise<(release: Release) => string[]> => {
  const signersOf = ({ terms, fields }: Release): string[] => {
    const { verifiers } = unpackTerms(terms)
    return fields.signers.flatMap((position) => verifiers[position] ?? [])
  }
  const rows = await ctx.sql<{ address: string; chainId: number; userId: string }[]>`
    select address, served.chain_id, user_id
    from wallet
    join unnest(${ctx.settings.assets.chainIds as number[]}::bigint[]) served (chain_id)
      on holds_on(wallet, served.chain_id)
    where address = any(${[...new Set(releases.flatMap(signersOf))]})`
  const users = new Map(rows.map((row) => [`${row.chainId} ${row.address}`, row.userId]))
  return (release) => [
    ...new Set(signersOf(release).flatMap((one) => users.get(`${release.chainId} ${one}`) ?? [])),
  ]
}

/** A payment of an escrow to the recipient of its campaign. `milestoneId` is null for a surplus. */
type Payout = {
  event: FollowedEvent & { kind: 'MilestoneReleased' | 'SurplusReleased' }
  milestoneId: string | null
}

/**
 * Posts two entries for each payment: from `held` to `released`, which names the milestone, and
 * from `custody` to `paid`. `held` may become negative, because an escrow also releases money for
 * which no donation is recorded.
 */
const postPayouts = (ctx: Context, payouts: readonly Payout[]): Promise<void> =>
  postLines(ctx, payouts.flatMap(linesOf))

const linesOf = ({ event, milestoneId }: Payout): Line[] => {
  const common = { ...lineOf(event), assetId: event.currencyId, amount: event.fields.amount }
  return [
    { ...common, kind: 'release', debitKind: 'held', creditKind: 'released', milestoneId },
    { ...common, kind: 'payout', debitKind: 'paid', creditKind: 'custody' },
  ]
}
