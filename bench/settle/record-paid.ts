import type { Context } from '../../src/db/context.ts'
import { newId } from '../../src/kernel/formats/ids.ts'
import { BENCH_CHAIN, campaignAccount, createCampaigns, createDonor } from '../support/world.ts'
import type { Paid } from './chain.ts'

const RECORD_BATCH = 1_000

/**
 * Records the payments of a chain for new campaigns. Returns the ids of the campaigns. Another part
 * measures the speed of recording.
 */
export const recordPaid = async (
  ctx: Context,
  paid: readonly Paid[],
  campaigns: number,
): Promise<string[]> => {
  const donor = await createDonor(ctx)
  const ids = await createCampaigns(ctx, donor, campaigns)
  const campaignOf = new Map(ids.map((id, index) => [campaignAccount(index), id]))
  const at = ctx.clock.now()
  for (let from = 0; from < paid.length; from += RECORD_BATCH) {
    const claims = paid.slice(from, from + RECORD_BATCH).map((one) => ({
      ...one,
      userId: donor.userId,
      campaignId: campaignOf.get(one.recipient) ?? '',
    }))
    await writeClaims(ctx, claims, at)
  }
  return ids
}

/** A payment, the user who recorded it, and the campaign. */
export type Claim = Paid & { userId: string; campaignId: string }

/** Inserts the same rows as recording, in one statement for each table. */
export const writeClaims = async (
  ctx: Context,
  claims: readonly Claim[],
  at: Date,
): Promise<void> => {
  const asset = ctx.settings.assets.bySymbol('USDC', BENCH_CHAIN.id)
  const rows = claims.map((claim) => ({
    id: newId(at.getTime()),
    user_id: claim.userId,
    campaign_id: claim.campaignId,
    tx_hash: claim.txHash,
    sender: claim.sender,
    amount: claim.units.toString(),
  }))
  await ctx.sql`
    insert into donation
      (id, user_id, campaign_id, donor_wallet, chain_id, tx_hash, ledger_address,
       declared_asset_id, declared_amount, next_check_at, expires_at, request_id, created_at)
    select id, user_id, campaign_id, bytes_of(sender), ${BENCH_CHAIN.id}, bytes_of(tx_hash),
           bytes_of(sender),
           ${asset.id}, amount, ${new Date(at.getTime() + 5_000)},
           ${new Date(at.getTime() + ctx.settings.donationExpiryMs)}, id::text, ${at}
    from jsonb_to_recordset(${ctx.sql.json(rows)})
      as row (id uuid, user_id uuid, campaign_id uuid, tx_hash text, sender text, amount numeric)`
}
