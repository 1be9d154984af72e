import type { Context } from '../../../db/context.ts'
import type { NewEvent } from '../../../outbox/emit.ts'
import { crossThresholds, revertThresholds } from './thresholds.ts'

/** An amount that enters or leaves a campaign's raised total, in the campaign's currency. */
type Movement = {
  campaignId: string
  creatorId: string
  currencyId: string
  credited: bigint
  /** The change of the number of donations. 0 for a refund, because the donation still counts. */
  donations?: 0
}

/**
 * Adds credits to the raised totals, with one update for all campaigns. Returns an event for each
 * milestone or target that is now reached. The caller posts the entries in the same transaction.
 */
export const addToTotals = async (
  ctx: Context,
  movements: readonly Movement[],
): Promise<NewEvent[]> => {
  if (movements.length === 0) return []
  const totals = await moveTotals(ctx, movements, 1n)
  return crossThresholds(ctx, [...totals.keys()])
}

/** Subtracts reversed credits. `reverted` has an event for each milestone or target now missed. */
export const takeFromTotals = async (
  ctx: Context,
  movements: readonly Movement[],
): Promise<{ currentAmounts: Map<string, bigint>; reverted: NewEvent[] }> => {
  if (movements.length === 0) return { currentAmounts: new Map(), reverted: [] }
  const currentAmounts = await moveTotals(ctx, movements, -1n)
  return { currentAmounts, reverted: await revertThresholds(ctx, [...currentAmounts.keys()]) }
}

const NOTHING = { amount: 0n, refunded: 0n, count: 0 }

/** Adds the movements to the totals, or subtracts them if `sign` is -1. Returns the new totals. */
const moveTotals = async (
  ctx: Context,
  movements: readonly Movement[],
  sign: 1n | -1n,
): Promise<Map<string, bigint>> => {
  const sums = new Map<string, { amount: bigint; refunded: bigint; count: number }>()
  for (const { campaignId, credited, donations = 1 } of movements) {
    const { amount, refunded, count } = sums.get(campaignId) ?? NOTHING
    const moved = sign * credited
    sums.set(campaignId, {
      amount: amount + moved,
      refunded: donations === 0 ? refunded - moved : refunded,
      count: count + donations,
    })
  }
  const rows = [...sums].map(([campaignId, sum]) => ({
    campaignId,
    amount: sum.amount.toString(),
    refunded: sum.refunded.toString(),
    count: Number(sign) * sum.count,
  }))
  const totals = await ctx.sql<{ campaignId: string; raised: string }[]>`
    update campaign_total
    set raised = campaign_total.raised + row.amount,
        refunded = campaign_total.refunded + row.refunded, donations = donations + row.count,
        updated_at = ${ctx.clock.now()}
    from jsonb_to_recordset(${ctx.sql.json(rows)})
      as row ("campaignId" uuid, amount numeric, refunded numeric, count bigint)
    where campaign_total.campaign_id = row."campaignId"
    returning campaign_total.campaign_id, campaign_total.raised`
  return new Map(totals.map((row) => [row.campaignId, BigInt(row.raised)]))
}
