import type { Context } from '../context.ts'

/** The title of a campaign, and its slug; null for a draft. */
export type CampaignTitle = { id: string; title: string; slug: string | null }

/**
 * Reads the titles of campaigns, by their ids. Does not check who may see a draft, so the ids must
 * come from data that the caller may see.
 */
export const campaignTitles = async (
  { sql }: Context,
  ids: readonly string[],
): Promise<Map<string, CampaignTitle>> => {
  const rows = await sql<CampaignTitle[]>`
    select id, title, slug from campaign where id = any(${[...new Set(ids)]}::uuid[])`
  return new Map(rows.map((row) => [row.id, row]))
}
