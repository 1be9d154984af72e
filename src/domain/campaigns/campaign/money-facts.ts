import type { Context } from '../../../db/context.ts'
import { unpackTerms } from '../../../escrow/terms.ts'
import { formatUnits } from '../../../kernel/money/money.ts'
import type { ListedCampaignView } from './campaign-view.ts'

/** What lists say about a campaign's money beside its view. */
export type MoneyFacts = {
  /** Decimal text. `currentAmount` does not contain it. */
  refunded: string
  /** Null if the money goes straight to the creator. */
  escrow: { deadline: Date } | null
}

/** Reads these facts for each campaign of a list, by the campaign's id. */
export const readMoneyFacts = async (
  ctx: Context,
  campaigns: readonly Pick<ListedCampaignView, 'id'>[],
): Promise<Map<string, MoneyFacts>> => {
  const rows = await ctx.sql<
    { id: string; currencyId: string; refunded: string; terms: string | null }[]
  >`
    select campaign.id, currency_id, total.refunded, escrow.terms
    from campaign
    join campaign_total total on total.campaign_id = campaign.id
    left join campaign_escrow escrow on escrow.campaign_id = campaign.id
    where campaign.id = any(${campaigns.map(({ id }) => id)}::uuid[])`
  return new Map(
    rows.map(({ id, currencyId, refunded, terms }) => {
      const { decimals } = ctx.settings.assets.byId(currencyId)
      const deadline = terms && new Date(unpackTerms(terms).deadline * 1_000)
      return [
        id,
        {
          refunded: formatUnits(BigInt(refunded), decimals),
          escrow: deadline ? { deadline } : null,
        },
      ]
    }),
  )
}
