import type { Context } from '../../../db/context.ts'
import { CHAIN_BEHIND_MS } from '../../../kernel/ports/clock.ts'
import { openingOrder, openingTime } from '../../books/index.ts'

/** The block of a payment or event. */
type ChainPosition = { minedAt: Date; blockNumber: number }

type Opened = { id: string; account: string; after: Date; afterBlock: number | null }

type WatchedAccount = {
  /** A little before the first campaign was created. Older income belongs to no campaign. */
  since: Date
  /** The account's campaigns in the order of opening. */
  campaigns: Opened[]
}

export type WatchedCampaigns = ReadonlyMap<string, WatchedAccount>

/** Lists the accounts of all campaigns on a chain, except campaigns that never opened. */
export const listWatchedCampaigns = async (
  ctx: Context,
  chainId: number,
): Promise<WatchedCampaigns> => {
  const rows = await ctx.sql<(Opened & { createdAt: Date })[]>`
    select account, id, created_at, ${openingTime(ctx.sql)} as after,
           counts_after_block as after_block
    from campaign where chain_id = ${chainId} and not never_opened
    order by ${openingOrder(ctx.sql, 'asc')}`
  return new Map(
    [...Map.groupBy(rows, ({ account }) => account)].map(([account, own]) => [
      account,
      {
        since: new Date(Math.min(...own.map((row) => row.createdAt.getTime())) - CHAIN_BEHIND_MS),
        campaigns: own,
      },
    ]),
  )
}

/**
 * Finds the campaign that gets an account's income at a position. Income before the first opening
 * belongs to the first campaign, but not from before `since`. Otherwise returns null.
 */
export const campaignAt = (
  watched: WatchedCampaigns,
  account: string,
  position: ChainPosition,
): string | null => {
  const { campaigns = [], since } = watched.get(account) ?? {}
  const paid = campaigns.findLast((campaign) => isAfter(position, campaign))
  if (paid) return paid.id
  return since && position.minedAt >= since ? (campaigns[0]?.id ?? null) : null
}

/** The same rule as the SQL of `isAfterOpening`. */
const isAfter = ({ minedAt, blockNumber }: ChainPosition, { after, afterBlock }: Opened): boolean =>
  minedAt > after ||
  (afterBlock === null ? minedAt.getTime() === after.getTime() : blockNumber > afterBlock)
