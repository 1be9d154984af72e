import type { Context } from '../../../db/context.ts'

/** An escrow with final events whose code is not proven yet. `terms` are the packed terms. */
export type UnprovenEscrow = { campaignId: string; account: string; terms: string }

/** At most this many escrows are proven together. */
const ESCROWS_AT_ONCE = 100

/** Lists escrows of opened campaigns with final unsettled events and without a proof of code. */
export const listUnprovenEscrows = (
  { sql }: Context,
  chainId: number,
  finalNumber: number,
): Promise<UnprovenEscrow[]> => sql<UnprovenEscrow[]>`
  select distinct escrow.campaign_id, event.account, escrow.terms
  from escrow_event event
  join campaign_escrow escrow on escrow.campaign_id = event.campaign_id
  where event.chain_id = ${chainId} and event.settled_at is null and event.counts
    and event.block_number <= ${finalNumber} and escrow.code_proven_at is null
  order by escrow.campaign_id
  limit ${ESCROWS_AT_ONCE}`

/**
 * Notes that the code of escrows is proven. The address of an escrow commits to its code, so the
 * code cannot change, and one proof is enough.
 */
export const noteCodeProven = async (ctx: Context, campaignIds: string[]): Promise<void> => {
  await ctx.sql`
    update campaign_escrow set code_proven_at = ${ctx.clock.now()}
    where campaign_id = any(${campaignIds}::uuid[]) and code_proven_at is null`
}
