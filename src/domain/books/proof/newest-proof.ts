import type { Context } from '../../../db/context.ts'
import { type MoneyView, moneyOf } from '../total/money-of.ts'
import { PROOF_VERSION } from './proof-queue.ts'

/** The donation that was proven last, and the block that holds its payment. */
export type NewestProof = {
  donationId: string
  /** What arrived on the chain. */
  amount: MoneyView
  campaign: { slug: string; title: string }
  blockNumber: number
  minedAt: Date
}

type Row = Omit<NewestProof, 'amount' | 'campaign'> &
  NewestProof['campaign'] & { assetId: string; units: string }

/** A donation without its proof among more sealed entries than these is not looked for. */
const NEWEST_ENTRIES = 1_000

/** Finds the newest sealed donation whose proof is ready and whose money counts in full. */
export const findNewestProof = async (ctx: Context): Promise<NewestProof | null> => {
  const [row] = await ctx.sql<Row[]>`
    select donation.id as donation_id, transfer.asset_id, transfer.amount as units,
           coalesce(slug, campaign.id::text) as slug, campaign.title, transfer.block_number,
           transfer.mined_at
    from (select entry_id from sealed_entry order by entry_id desc limit ${NEWEST_ENTRIES}) sealed
    join ledger_entry entry on entry.id = sealed.entry_id and entry.kind = 'donation'
    join donation on donation.id = entry.donation_id and donation.status = 'completed'
    join chain_transfer transfer on transfer.id = donation.transfer_id
    join donation_proof stored
      on stored.donation_id = donation.id and stored.transfer_id = transfer.id
     and stored.block_hash = transfer.block_hash and stored.version = ${PROOF_VERSION}
     and stored.proof is not null
    join campaign on campaign.id = donation.campaign_id
    where donation.credited_amount > 0
    order by sealed.entry_id desc limit 1`
  if (!row) return null
  const { donationId, assetId, units, slug, title, blockNumber, minedAt } = row
  const amount = moneyOf(ctx, assetId, units)
  return { donationId, amount, campaign: { slug, title }, blockNumber, minedAt }
}
