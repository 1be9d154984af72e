import type { Context } from '../../../db/context.ts'
import { formatUnits } from '../../../kernel/money/money.ts'

/** The money of one asset in a campaign's account: `held` is `cameIn` - `paid` - `refunded`. */
export type Flow = Record<'cameIn' | 'paid' | 'refunded' | 'held', string> & { currency: string }

/**
 * What came into the account of a campaign, what its escrow paid out and back, and the rest. All
 * sums have the entries up to `block`, which are in the ledger together.
 */
export type Flows = { block: number | null; flows: Flow[] }

/** Sums a campaign's entries. The caller has checked that the campaign is visible. */
export const readFlows = async ({ sql, settings }: Context, campaignId: string): Promise<Flows> => {
  const rows = await sql<(Omit<Flow, 'currency'> & { assetId: string; block: number | null })[]>`
    with change as (
      select entry.asset_id, coalesce(undone.kind, entry.kind) as kind,
             case when debit.kind = 'custody' then entry.amount else -entry.amount end as amount
      from ledger_entry entry
      join ledger_account debit on debit.id = entry.debit_account
      join ledger_account credit on credit.id = entry.credit_account
      left join ledger_entry undone on undone.id = entry.reverses
      where entry.campaign_id = ${campaignId} and 'custody' in (debit.kind, credit.kind)
    )
    select asset_id, coalesce(-sum(amount) filter (where kind = 'payout'), 0)::text as paid,
           coalesce(-sum(amount) filter (where kind = 'refund'), 0)::text as refunded,
           coalesce(sum(amount) filter (where kind not in ('payout', 'refund')), 0)::text as came_in,
           sum(amount)::text as held,
           (select booked_number from campaign join chain_state using (chain_id)
            where campaign.id = ${campaignId}) as block
    from change group by asset_id order by asset_id`
  const flows = rows.map(({ assetId, block: _, ...sums }) => {
    const { symbol, decimals } = settings.assets.byId(assetId)
    const decimal = (units: string) => formatUnits(BigInt(units), decimals)
    const { cameIn, paid, refunded, held } = sums
    return {
      ...{ currency: symbol, cameIn: decimal(cameIn), paid: decimal(paid) },
      ...{ refunded: decimal(refunded), held: decimal(held) },
    }
  })
  return { block: rows[0]?.block ?? null, flows }
}
