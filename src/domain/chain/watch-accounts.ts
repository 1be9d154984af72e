import type { Context } from '../context.ts'

/** Every account on a chain that a campaign names, whatever its status: money may come late. */
export const listWatchedAccounts = async (ctx: Context, chainId: number): Promise<Set<string>> => {
  const rows = await ctx.sql<{ account: string }[]>`
    select distinct account from campaign where chain_id = ${chainId}`
  return new Set(rows.map((row) => row.account))
}

/** Which of these transactions somebody has claimed as a donation. */
export const listClaimedHashes = async (
  ctx: Context,
  chainId: number,
  txHashes: readonly string[],
): Promise<Set<string>> => {
  if (txHashes.length === 0) return new Set()
  const rows = await ctx.sql<{ tx_hash: string }[]>`
    select distinct tx_hash from donation
    where chain_id = ${chainId} and tx_hash = any(${txHashes as string[]})`
  return new Set(rows.map((row) => row.tx_hash))
}
