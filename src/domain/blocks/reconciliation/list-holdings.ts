import type { Queryable } from '../../../db/client.ts'
import type { Context } from '../../../db/context.ts'
import { isUnexplained } from '../../shared/index.ts'

/** Lists the pairs of account and asset for which the ledger has a custody account. */
export const listHoldings = (ctx: Context, chainId: number) => ctx.sql<
  { account: string; assetId: string }[]
>`
  select distinct campaign.account, ledger.asset_id
  from ledger_account ledger
  join campaign on campaign.id = ledger.campaign_id
  where ledger.kind = 'custody' and campaign.chain_id = ${chainId}`

/** Lists the blocks from `from` to `to` for which native transfers are stored. */
export const listNativeBlocks = async (
  ctx: Context,
  chainId: number,
  from: number,
  to: number,
): Promise<number[]> => {
  const rows = await ctx.sql<{ blockNumber: number }[]>`
    select distinct transfer.block_number
    from chain_transfer transfer
    join asset on asset.id = transfer.asset_id and asset.kind = 'native'
    where transfer.chain_id = ${chainId} and transfer.block_number between ${from} and ${to}`
  return rows.map((row) => row.blockNumber)
}

/**
 * Lists blocks that still have open differences, each with the accounts of its differences.
 * The order is random, so that the limit does not always select the same blocks.
 */
export const listOpenBlocks = (ctx: Context, chainId: number, limit: number) => ctx.sql<
  { number: number; accounts: string[] }[]
>`
  select block_number as number, array_agg(distinct account) as accounts from ledger_difference
  where chain_id = ${chainId} and resolved_at is null and first_block = block_number
    and kind in ('balance', 'transfer_unknown', 'transfer_differs', 'escrow_event')
  group by block_number order by random() limit ${limit}`

export const countOpenDifferences = async (sql: Queryable): Promise<number> => {
  const [row] = await sql<{ count: number }[]>`
    select count(*) as count from ledger_difference where ${isUnexplained(sql)}`
  return row?.count ?? 0
}
