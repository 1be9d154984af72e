import type { Context } from '../../../db/context.ts'

/**
 * The accounts of all campaigns on a chain, and which of these accounts are escrow contracts.
 * Accounts of ended campaigns count too, because money may come late.
 */
export const listWatchedAccounts = async (
  ctx: Context,
  chainId: number,
): Promise<{ accounts: Set<string>; escrows: Set<string> }> => {
  const rows = await ctx.sql<{ account: string; isEscrow: boolean }[]>`
    select account, bool_or(escrow.campaign_id is not null) as is_escrow
    from campaign left join campaign_escrow escrow on escrow.campaign_id = campaign.id
    where chain_id = ${chainId}
    group by account`
  return {
    accounts: new Set(rows.map((row) => row.account)),
    escrows: new Set(rows.flatMap((row) => (row.isEscrow ? [row.account] : []))),
  }
}

/** Maps each claimed transaction hash to the accounts that the transaction should pay. */
export const listClaimedHashes = async (
  ctx: Context,
  chainId: number,
  txHashes: readonly string[],
): Promise<Map<string, Set<string>>> => {
  if (txHashes.length === 0) return new Map()
  const rows = await ctx.sql<{ txHash: string; account: string }[]>`
    select claim.tx_hash, campaign.account
    from (
      select tx_hash, campaign_id from donation
      where chain_id + 0 = ${chainId} and tx_hash = any(${txHashes as string[]})
      union
      select original_tx_hash, campaign_id from donation
      where chain_id + 0 = ${chainId} and original_tx_hash = any(${txHashes as string[]})
    ) claim
    join campaign on campaign.id = claim.campaign_id`
  const claims = Map.groupBy(rows, ({ txHash }) => txHash)
  return new Map(
    [...claims].map(([txHash, named]) => [txHash, new Set(named.map(({ account }) => account))]),
  )
}
