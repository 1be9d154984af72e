import { CHAIN_BEHIND_MS } from '../../kernel/clock.ts'
import type { Context } from '../context.ts'
import { openingBlock, openingOrder, openingTime } from '../ledger/index.ts'

/** A place in a chain. */
type Place = { minedAt: Date; blockNumber: number }

type WatchedAccount = {
  /** When a campaign first named it. Earlier income belongs to no campaign. */
  since: Date
  /** In the order in which they opened, each with the place after which its income counts. */
  campaigns: { campaignId: string; after: Place }[]
}

export type WatchedCampaigns = ReadonlyMap<string, WatchedAccount>

/** Every account of a chain that a campaign names, and since when. */
export const listWatchedCampaigns = async (
  ctx: Context,
  chainId: number,
): Promise<WatchedCampaigns> => {
  const rows = await ctx.sql<
    { account: string; id: string; after: Date; after_block: number; created_at: Date }[]
  >`
    select account, id, created_at, ${openingTime(ctx.sql)} as after,
           ${openingBlock(ctx.sql)} as after_block
    from campaign where chain_id = ${chainId} and not never_opened
    order by ${openingOrder(ctx.sql, 'asc')}`
  return new Map(
    [...Map.groupBy(rows, ({ account }) => account)].map(([account, own]) => [
      account,
      {
        since: new Date(Math.min(...own.map((row) => row.created_at.getTime())) - CHAIN_BEHIND_MS),
        campaigns: own.map((row) => ({
          campaignId: row.id,
          after: { minedAt: row.after, blockNumber: row.after_block },
        })),
      },
    ]),
  )
}

/**
 * The campaign that an account's income at a place belongs to. Income from before the first one
 * opened belongs to the first one. Null before a campaign named the account.
 */
export const campaignAt = (
  watched: WatchedCampaigns,
  account: string,
  place: Place,
): string | null => {
  const found = watched.get(account)
  if (!found || place.minedAt < found.since) return null
  const { campaigns } = found
  return (
    (campaigns.findLast(({ after }) => isAfter(place, after)) ?? campaigns[0])?.campaignId ?? null
  )
}

const isAfter = (place: Place, other: Place): boolean => {
  const ms = place.minedAt.getTime() - other.minedAt.getTime()
  return ms > 0 || (ms === 0 && place.blockNumber > other.blockNumber)
}
