import type { Context } from '../context.ts'
import { campaignState, confirmations } from './campaign-version.ts'

/**
 * Returns a text that is new whenever the page of the donation may show something new: its state,
 * its confirmations, its ledger entries, its seal, its proof, and the state of its campaign.
 */
export const donationVersion = async ({ sql }: Context, donationId: string): Promise<string> => {
  const [row] = await sql<{ version: string }[]>`
    select concat_ws(' ', donation::text, ${campaignState(sql)},
      ${confirmations(sql, sql`donation.status in ('pending','confirming')`)},
      (select max(id) from ledger_entry where donation_id = donation.id),
      (select concat_ws(' ', block_hash, version, proof is not null) from donation_proof
       where donation_id = donation.id)
    ) as version
    from donation
    join campaign on campaign.id = donation.campaign_id
    where donation.id = ${donationId}`
  return row?.version ?? ''
}
