import type { Queryable } from '../../../db/client.ts'

/**
 * SQL for tables named `campaign` and `transfer`: whether an escrow counts this asset. It holds the
 * asset of its terms only, so another asset cannot become a donation.
 */
export const isEscrowedAsset = (sql: Queryable) => sql`
  (transfer.asset_id = campaign.currency_id or not exists (
    select from campaign_escrow escrow where escrow.campaign_id = campaign.id))`

/**
 * SQL for tables named `campaign` and `transfer`: whether an escrow has paid back a part of the
 * transfer, so that no donation may get it. An open campaign has no refunds.
 */
export const isPaidBack = (sql: Queryable) => sql`
  (campaign.status not in ('active', 'funded') and exists (
    select from escrow_event event
    join standing_entry refund on refund.escrow_event_id = event.id and refund.kind = 'refund'
    where event.campaign_id = campaign.id and event.kind in ('Refunded', 'TransferReturned')
      and event.settled_at is not null and refund.transfer_id = transfer.id
    offset 0))`
