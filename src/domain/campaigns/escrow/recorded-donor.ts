import type { Part, Queryable } from '../../../db/client.ts'

/**
 * The event `Donated` that records a transfer, as a subquery of its donor; null for a plain
 * transfer. An event records the nearest transfer before it by its payer in the same transaction.
 * The query needs the tables `campaign` and `chain_transfer` as `transfer`. It names no campaign of
 * the event, because PostgreSQL would read all events of the campaign for each transfer.
 */
export const recordedDonor = (sql: Queryable): Part => sql`
  (select donated.fields ->> 'donor' from escrow_event donated
   where transfer.asset_id = campaign.currency_id
     and donated.chain_id = transfer.chain_id and donated.tx_hash = transfer.tx_hash
     and donated.account = transfer.recipient and donated.kind = 'Donated'
     and donated.block_number is not null and donated.position > transfer.position
     and donated.fields ->> 'payer' = hex_of(transfer.sender)
     and not exists (
       select from chain_transfer nearer
       where nearer.chain_id = transfer.chain_id and nearer.tx_hash = transfer.tx_hash
         and nearer.recipient = transfer.recipient and nearer.sender = transfer.sender
         and nearer.asset_id = transfer.asset_id and nearer.block_number is not null
         and nearer.position > transfer.position and nearer.position < donated.position)
   order by donated.position limit 1)`

/**
 * Whether stored blocks show that the escrow of `campaign` has paid a milestone or failed, as a
 * condition of a query. From then on the contract records no more donors.
 */
export const isClosed = (sql: Queryable): Part => sql`
  exists (
    select from escrow_event event
    where event.campaign_id = campaign.id and event.kind in ('MilestoneReleased', 'Failed')
      and event.block_number is not null)`

/** Whether stored blocks show the code of the escrow of `campaign`, as a condition of a query. */
export const isDeployed = (sql: Queryable): Part => sql`
  exists (
    select from escrow_event event
    where event.campaign_id = campaign.id and event.block_number is not null)`
