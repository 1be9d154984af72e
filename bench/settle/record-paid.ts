import type { Context } from '../../src/domain/context.ts'
import { newId } from '../../src/kernel/ids.ts'
import { BENCH_CHAIN, campaignAccount, createCampaigns, createDonor } from '../support/world.ts'
import type { Paid } from './chain.ts'

const RECORD_BATCH = 1_000

/** The rows that recording leaves, written in sets: how fast that is, is measured elsewhere. */
export const recordPaid = async (
  ctx: Context,
  paid: readonly Paid[],
  campaigns: number,
): Promise<void> => {
  const donor = await createDonor(ctx)
  const ids = await createCampaigns(ctx, donor, campaigns)
  const campaignOf = new Map(ids.map((id, index) => [campaignAccount(index), id]))
  const asset = ctx.settings.assets.bySymbol('USDC', BENCH_CHAIN.id)
  const now = ctx.clock.now()
  for (let from = 0; from < paid.length; from += RECORD_BATCH) {
    const rows = paid.slice(from, from + RECORD_BATCH).map((one) => ({
      id: newId(now.getTime()),
      campaign_id: campaignOf.get(one.recipient) ?? '',
      tx_hash: one.txHash,
      sender: one.sender,
      amount: one.units.toString(),
    }))
    await ctx.sql`
      insert into donation
        (id, user_id, campaign_id, donor_wallet, chain_id, tx_hash, ledger_address,
         declared_asset_id, declared_amount, next_check_at, expires_at, request_id, created_at)
      select id, ${donor.userId}, campaign_id, sender, ${BENCH_CHAIN.id}, tx_hash, sender,
             ${asset.id}, amount, ${new Date(now.getTime() + 5_000)},
             ${new Date(now.getTime() + ctx.settings.donationExpiryMs)}, id::text, ${now}
      from jsonb_to_recordset(${ctx.sql.json(rows)})
        as row (id uuid, campaign_id uuid, tx_hash text, sender text, amount numeric)`
  }
}
