import type { Queryable } from '../../../db/client.ts'
import { hasOpened, isAfterOpening, openingOrder } from './opening.ts'

/**
 * SQL for a LATERAL join with `transfer`. Finds the campaign of a transfer that has no donation:
 * the last campaign that opened on the recipient's account before the transfer. If all campaigns
 * opened later, finds the first campaign, with `counts` false.
 */
export const campaignOfTransfer = (sql: Queryable) => sql`
  (select campaign.id, campaign.creator_id, true as counts
   from campaign
   where campaign.chain_id = transfer.chain_id and campaign.account = transfer.recipient
     and ${hasOpened(sql)} and ${isAfterOpening(sql)}
   order by ${openingOrder(sql, 'desc')} limit 1)
  union all
  (select campaign.id, campaign.creator_id, false
   from campaign
   where campaign.chain_id = transfer.chain_id and campaign.account = transfer.recipient
     and ${hasOpened(sql)}
   order by ${openingOrder(sql, 'asc')} limit 1)
  limit 1`

/** SQL for a table named `transfer`: whether any campaign has opened on the recipient's account. */
export const isOfCampaign = (sql: Queryable) => sql`
  exists (select from campaign
          where campaign.chain_id = transfer.chain_id and campaign.account = transfer.recipient
            and ${hasOpened(sql)})`
