import type { Context } from '../../../db/context.ts'
import { hasOpened } from '../../books/index.ts'
import type { FoundDifference } from './difference.ts'

type Row = {
  campaignId: string
  account: string
  assetId: string
  custody: string
  balance: string
  blockNumber: number
}

/**
 * Compares the custody of each escrow in each token with the newest balance that was read from the
 * chain, at the block of this balance. Only an escrow's own events move its money, so both must be
 * equal. Leaves out a balance at a block whose transfers or events are not in the ledger yet.
 */
export const compareEscrows = async (
  { sql }: Context,
  chainId: number,
): Promise<Omit<FoundDifference, 'blockNumber' | 'firstBlock' | 'blockHash' | 'txHash'>[]> => {
  const rows = await sql<Row[]>`
    with held as (
      select campaign.id as campaign_id, known.account, known.asset_id, known.balance,
             known.block_number
      from campaign_escrow escrow
      join campaign on campaign.id = escrow.campaign_id and campaign.chain_id = ${chainId}
      join chain_state state on state.chain_id = campaign.chain_id
      join account_balance known
        on known.chain_id = campaign.chain_id and known.account = campaign.account
      join asset on asset.id = known.asset_id and asset.kind = 'erc20'
      where known.block_number <= state.booked_number
        and ${hasOpened(sql)}
        and not exists (
          select from escrow_event event
          where event.campaign_id = campaign.id and event.settled_at is null
            and event.block_number <= known.block_number)
    )
    select held.campaign_id, held.account, held.asset_id, held.balance::text as balance,
           held.block_number, coalesce(booked.units, 0)::text as custody
    from held
    left join lateral (
      select sum(case when entry.debit_account = ledger.id then entry.amount
                      else -entry.amount end) as units
      from ledger_account ledger
      join ledger_entry entry
        on entry.debit_account = ledger.id or entry.credit_account = ledger.id
      where ledger.campaign_id = held.campaign_id and ledger.kind = 'custody'
        and ledger.asset_id = held.asset_id and entry.block_number <= held.block_number
    ) booked on true
    where coalesce(booked.units, 0) <> held.balance`
  return rows.map((row) => ({
    kind: 'escrow',
    campaignId: row.campaignId,
    account: row.account,
    assetId: row.assetId,
    expected: BigInt(row.custody),
    actual: BigInt(row.balance),
    note: 'The custody of the escrow differs from its balance on the chain.',
  }))
}
