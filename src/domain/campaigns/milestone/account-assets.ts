import type { Context } from '../../../db/context.ts'
import { formatUnits } from '../../../kernel/money/money.ts'
import type { MilestoneRow } from './milestone-row.ts'

/** An asset of the campaign's account, with its balance on the chain. Amounts are decimal text. */
type AccountAsset = {
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

/**
 * What the account of a campaign received and paid up to the block of its balance. Amounts are base
 * units; `spent` is null without an escrow that paid.
 */
export type Holding = {
  assetId: string
  balance: string | null
  blockNumber: number | null
  received: string
  spent: string | null
}

/**
 * Reads what a campaign's account holds of each asset that it received. Sums all transfers of the
 * account, so it must not run while a lock of the chain or the campaign is held.
 */
export const readHoldings = (ctx: Context, { campaignId }: MilestoneRow) => ctx.sql<Holding[]>`
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
  ), paid as (
    select entry.asset_id, entry.block_number, entry.amount
    from account
    join campaign using (chain_id, account)
    join escrow_event event on event.campaign_id = campaign.id
    join standing_entry entry
      on entry.escrow_event_id = event.id and entry.kind in ('payout', 'refund')
  )
  select asset.*, spent.units as spent
  from (
    select asset_id, held.balance, held.block_number,
           coalesce(sum(received.amount) filter (
             where received.block_number <= held.block_number), 0) as received
    from received full join held using (asset_id)
    group by asset_id, held.balance, held.block_number
  ) asset
  -- The amounts that an escrow paid, to its recipient and to donors.
  left join lateral (
    select sum(amount) as units from paid
    where paid.asset_id = asset.asset_id and paid.block_number <= asset.block_number
  ) spent on true
  order by asset.asset_id`

/**
 * Lists the balance and the released amount of each asset that a campaign's account received, for
 * all campaigns of the account together. Verifiers see this list, but it prevents no decision.
 */
export const listAccountAssets = async (
  ctx: Context,
  { campaignId, currencyId }: MilestoneRow,
  holdings: readonly Holding[],
): Promise<AccountAsset[]> => {
  const [row] = await ctx.sql<{ units: string }[]>`
    select coalesce(sum(milestone.amount), 0) as units
    from campaign own
    join campaign on campaign.chain_id = own.chain_id and campaign.account = own.account
    join milestone on milestone.campaign_id = campaign.id and milestone.status = 'released'
    where own.id = ${campaignId} and campaign.currency_id = ${currencyId}`
  return holdings.map(({ assetId, balance, blockNumber, received, spent }) => {
    const { symbol, decimals } = ctx.settings.assets.byId(assetId)
    const amount = (units: string | bigint | null) =>
      units === null ? null : formatUnits(BigInt(units), decimals)
    const released = assetId === currencyId ? (row?.units ?? '0') : null
    const missing =
      balance === null ? null : BigInt(received) - BigInt(spent ?? released ?? 0) - BigInt(balance)
    return {
      asset: assetId,
      symbol,
      balance: amount(balance),
      balanceBlock: blockNumber,
      released: amount(released),
      missing: amount(missing !== null && missing < 0n ? 0n : missing),
    }
  })
}
