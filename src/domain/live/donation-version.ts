import type { Queryable } from '../../db/client.ts'
import type { Context } from '../context.ts'
import { campaignState, confirmations } from './campaign-version.ts'

/**
 * Returns a text that is new whenever the page of the donation may show something new: its state,
 * its confirmations, its ledger entries, its seal, its proof, its refund, and the state of its
 * campaign.
 */
export const donationVersion = async ({ sql }: Context, donationId: string): Promise<string> => {
  const [row] = await sql<{ version: string }[]>`
    select concat_ws(' ', donation::text, ${campaignState(sql)},
      ${confirmations(sql, sql`donation.status in ('pending','confirming')`)},
      (select max(id + 0) from ledger_entry where donation_id = donation.id),
      (select concat_ws(' ', block_hash, version, proof is not null) from donation_proof
       where donation_id = donation.id),
      ${openRefunds(sql)}
    ) as version
    from donation
    join campaign on campaign.id = donation.campaign_id
    where donation.id = ${donationId}`
  return row?.version ?? ''
}

/**
 * The refunds to the donor in blocks that are not final. An index has only the events that are not
 * settled, so the query stays fast after many refunds of the same escrow.
 */
const openRefunds = (sql: Queryable) => sql`
  (select string_agg(concat_ws(',', id, block_hash), ' ' order by id) from escrow_event refund
   where refund.chain_id = donation.chain_id and refund.account = campaign.account
     and refund.kind = 'Refunded' and refund.settled_at is null and refund.counts
     and refund.block_number is not null
     and refund.fields ->> 'donor' in (
       select sender from chain_transfer paid
       where paid.chain_id = donation.chain_id and paid.tx_hash = donation.tx_hash
       union all
       select fields ->> 'donor' from escrow_event donated
       where donated.chain_id = donation.chain_id and donated.tx_hash = donation.tx_hash
         and donated.kind = 'Donated'))`
