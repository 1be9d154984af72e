import type { Part, Queryable } from '../../../db/client.ts'
import type { Context } from '../../../db/context.ts'

/** The version of a campaign covers this many of its newest donations and updates. */
const NEWEST = 20

/**
 * Returns a text that is new whenever a page of the campaign may show something new. The query
 * reads at most about 70 rows by index, however many donations the campaign has.
 */
export const campaignVersion = async ({ sql }: Context, campaignId: string): Promise<string> => {
  const [row] = await sql<{ version: string }[]>`
    select concat_ws(' ', total.updated_at, ${campaignState(sql)},
      (select string_agg(concat_ws(',', milestone.id, status, verification_round), ' '
                         order by position)
       from milestone where campaign_id = campaign.id),
      (select max(id) from ledger_entry where campaign_id = campaign.id),
      (select concat_ws(' ', string_agg(newest::text, ' ' order by created_at, id),
                             ${confirmations(sql, sql`bool_or(status = 'confirming')`)})
       from (select id, created_at, status, reason, block_number, donor_name, donor_message,
                    donor_hidden, exists (select from donation_proof
                      where donation_id = donation.id and proof is not null)
             from (${newestOf(sql, sql`transfer_id is not null or status = 'reversed'`)}
               union all ${newestOf(sql, sql`transfer_id is null and status <> 'reversed'`)}) donation
             order by created_at desc, id desc limit ${NEWEST}) newest),
      (select string_agg(newest::text, ' ' order by created_at, id)
       from (select id, created_at, updated_at from campaign_update
             where campaign_id = campaign.id
             order by created_at desc, id desc limit ${NEWEST}) newest)
    ) as version
    from campaign
    join campaign_total total on total.campaign_id = campaign.id
    where campaign.id = ${campaignId}`
  return row?.version ?? ''
}

/** The newest donations of the campaign with a condition that has an index of its own. */
const newestOf = (sql: Queryable, condition: Part) => sql`
  (select * from donation where campaign_id = campaign.id and (${condition})
   order by created_at desc, id desc limit ${NEWEST})`

/** The fields of a campaign, its chain and its escrow that the page of a donation also shows. */
const campaignState = (sql: Queryable) => sql`
  concat_ws(' ', campaign.updated_at, campaign.account_proven_at,
    (select concat_ws(' ', halted_at, problem) from chain_state
     where chain_id = campaign.chain_id),
    (select concat_ws(' ', code_proven_at, ended_campaign) from campaign_escrow
     where campaign_id = campaign.id),
    (select string_agg(concat_ws(',', id, block_hash, settled_at, generation), ' ' order by id)
     from escrow_event
     where campaign_id = campaign.id
       and kind in ('Activated','MilestoneRejected','MilestoneReleased','SurplusReleased','Failed')))`

/** Head and final block of the campaign's chain, on which "n of m" depends, if `when` is true. */
const confirmations = (sql: Queryable, when: Part) => sql`
  case when ${when} then (
    select concat_ws(' ', head_number, finalized_number) from chain_state
    where chain_id = campaign.chain_id) end`

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
 * The refunds to the donor in blocks that are not final. The index contains only unsettled events,
 * so the query stays fast after many refunds of the same escrow.
 */
const openRefunds = (sql: Queryable) => sql`
  (select string_agg(concat_ws(',', id, block_hash), ' ' order by id) from escrow_event refund
   where refund.chain_id = donation.chain_id and refund.account = campaign.account
     and refund.settled_at is null and refund.counts and refund.block_number is not null
     and case refund.kind
       when 'TransferReturned' then refund.fields ->> 'transaction' = hex_of(donation.tx_hash)
       when 'Refunded' then refund.fields ->> 'donor' in (
         select fields ->> 'donor' from escrow_event donated
         where donated.chain_id = donation.chain_id and donated.tx_hash = donation.tx_hash
           and donated.kind = 'Donated') end)`
