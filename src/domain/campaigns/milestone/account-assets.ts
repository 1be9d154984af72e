import type { Context } from '../../../db/context.ts'
import { formatUnits } from '../../../kernel/money/money.ts'
import type { MilestoneRow } from './milestone-row.ts'

/** An asset of the campaign's account, with its balance on the chain. Amounts are decimal text. */
export type AccountAsset = {
  asset: string
  symbol: string
  /** The balance in the block `balanceBlock`; null if the balance is unknown. */
  balance: string | null
  balanceBlock: number | null
  /** The amount released by milestones; null if the campaign's currency is another asset. */
  released: string | null
  /** The part of the income that is neither in the account nor released; null if unknown. */
  missing: string | null
}

type Row = Pick<AccountAsset, 'balance' | 'released' | 'missing'> & {
  assetId: string
  blockNumber: number | null
}

/**
 * Lists the balance and the released amount of each asset that a campaign's account received, for
 * all campaigns of the account together. Verifiers see this list, but it prevents no decision.
 */
export const listAccountAssets = async (
  ctx: Context,
  { campaignId, currencyId }: MilestoneRow,
): Promise<AccountAsset[]> => {
  const rows = await ctx.sql<Row[]>`
    with account as (select chain_id, account from campaign where id = ${campaignId}),
    received as (
      select transfer.asset_id, transfer.block_number, transfer.amount
      from account
      join chain_state state using (chain_id)
      join chain_transfer transfer
        on transfer.chain_id = account.chain_id and transfer.recipient = account.account
       and transfer.block_number <= state.finalized_number
    ), held as (
      select asset_id, balance, block_number
      from account_balance join account using (chain_id, account) where block_hash <> ''
    ), released as (
      select sum(milestone.amount) as units
      from account
      join campaign using (chain_id, account)
      join milestone on milestone.campaign_id = campaign.id and milestone.status = 'released'
      where campaign.currency_id = ${currencyId}
    ), paid as (
      select entry.asset_id, entry.block_number, entry.amount
      from account
      join campaign using (chain_id, account)
      join escrow_event event on event.campaign_id = campaign.id
      join standing_entry entry
        on entry.escrow_event_id = event.id and entry.kind in ('payout', 'refund')
    )
    select asset.asset_id, balance, block_number, released,
           case when balance is not null
                then greatest(received - coalesce(spent.units, released, 0) - balance, 0) end
             as missing
    from (
      select asset_id, held.balance, held.block_number,
             coalesce(sum(received.amount) filter (
               where received.block_number <= held.block_number), 0) as received,
             case when asset_id = ${currencyId}
                  then (select coalesce(units, 0) from released) end as released
      from received full join held using (asset_id)
      group by asset_id, held.balance, held.block_number
    ) asset
    -- The amounts that an escrow paid, to its recipient and to donors.
    left join lateral (
      select sum(amount) as units from paid
      where paid.asset_id = asset.asset_id and paid.block_number <= asset.block_number
    ) spent on true
    order by asset.asset_id`
  return rows.map(({ assetId, blockNumber, ...row }) => {
    const { symbol, decimals } = ctx.settings.assets.byId(assetId)
    const amount = (units: string | null) =>
      units === null ? null : formatUnits(BigInt(units), decimals)
    return {
      asset: assetId,
      symbol,
      balance: amount(row.balance),
      balanceBlock: blockNumber,
      released: amount(row.released),
      missing: amount(row.missing),
    }
  })
}
