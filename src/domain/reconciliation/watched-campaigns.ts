import { CHAIN_BEHIND_MS } from '../../kernel/ports/clock.ts'
import type { Context } from '../context.ts'
import { openingBlock, openingOrder, openingTime } from '../ledger/index.ts'

/** A position in a chain. Positions are ordered by block time, then by block number. */
type ChainPosition = { minedAt: Date; blockNumber: number }

type WatchedAccount = {
  /** A little before the first campaign was created. Older income belongs to no campaign. */
  since: Date
  /** The account's campaigns in the order of opening. Each campaign opened at its `after`. */
  campaigns: { campaignId: string; after: ChainPosition }[]
}

export type WatchedCampaigns = ReadonlyMap<string, WatchedAccount>

/** Lists the accounts of all campaigns on a chain, except campaigns that never opened. */
export const listWatchedCampaigns = async (
  ctx: Context,
  chainId: number,
): Promise<WatchedCampaigns> => {
  const rows = await ctx.sql<
    { account: string; id: string; after: Date; afterBlock: number; createdAt: Date }[]
  >`
    select account, id, created_at, ${openingTime(ctx.sql)} as after,
           ${openingBlock(ctx.sql)} as after_block
    from campaign where chain_id = ${chainId} and not never_opened
    order by ${openingOrder(ctx.sql, 'asc')}`
  return new Map(
    [...Map.groupBy(rows, ({ account }) => account)].map(([account, own]) => [
      account,
      {
        since: new Date(Math.min(...own.map((row) => row.createdAt.getTime())) - CHAIN_BEHIND_MS),
        campaigns: own.map((row) => ({
          campaignId: row.id,
          after: { minedAt: row.after, blockNumber: row.afterBlock },
        })),
      },
    ]),
  )
}

/**
 * Finds the campaign that gets an account's income at a position. Income before the first opening
 * belongs to the first campaign. Returns null for an unknown account or income before `since`.
 */
export const campaignAt = (
  watched: WatchedCampaigns,
  account: string,
  position: ChainPosition,
): string | null => {
  const found = watched.get(account)
  if (!found || position.minedAt < found.since) return null
  const { campaigns } = found
  return (
    (campaigns.findLast(({ after }) => isAfter(position, after)) ?? campaigns[0])?.campaignId ??
    null
  )
}

const isAfter = (position: ChainPosition, other: ChainPosition): boolean => {
  const ms = position.minedAt.getTime() - other.minedAt.getTime()
  return ms > 0 || (ms === 0 && position.blockNumber > other.blockNumber)
}
