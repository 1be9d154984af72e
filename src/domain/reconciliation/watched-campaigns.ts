import type { Context } from '../context.ts'

/** The campaigns that an account has served, oldest first, each from when its income counts. */
export type WatchedCampaigns = ReadonlyMap<string, readonly { campaignId: string; since: Date }[]>

/** Every account of a chain that a campaign names, and since when. */
export const listWatchedCampaigns = async (
  ctx: Context,
  chainId: number,
): Promise<WatchedCampaigns> => {
  const rows = await ctx.sql<{ account: string; id: string; since: Date }[]>`
    select account, id, date_trunc('second', coalesce(opened_at, created_at)) as since
    from campaign where chain_id = ${chainId} and not never_opened
    order by coalesce(opened_at, created_at), id`
  const watched = new Map<string, { campaignId: string; since: Date }[]>()
  for (const { account, id, since } of rows) {
    const campaigns = watched.get(account) ?? []
    campaigns.push({ campaignId: id, since })
    watched.set(account, campaigns)
  }
  return watched
}

/** Whose income what an account received at a time is; null before its first campaign. */
export const campaignAt = (watched: WatchedCampaigns, account: string, time: Date): string | null =>
  watched.get(account)?.findLast(({ since }) => since <= time)?.campaignId ?? null
