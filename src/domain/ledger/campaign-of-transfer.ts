import type { Queryable } from '../../db/client.ts'
import { hasOpened, isAfterOpening, openingOrder } from './opening.ts'

/**
 * SQL for a LATERAL after a table named `transfer`: the campaign whose transfer it is where no
 * donation says so, which is the one that had opened last on that account when it was mined. One
 * that is over by now counts too, since money may come late. A transfer from before the first one
 * opened is a deposit of that one, and no gift: `counts` is false. No row: none has opened.
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

/** SQL for a table named `transfer`: whether a campaign has opened on the account that it paid. */
export const isOfCampaign = (sql: Queryable) => sql`
  exists (select from campaign
          where campaign.chain_id = transfer.chain_id and campaign.account = transfer.recipient
            and ${hasOpened(sql)})`
