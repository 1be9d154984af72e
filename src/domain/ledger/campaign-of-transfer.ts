import type { Queryable } from '../../db/client.ts'

/**
 * SQL for a LATERAL after a table named `transfer`: the campaign whose transfer it is where no
 * donation says so, which is the one that had opened last on that account when it was mined. One
 * that is over by now counts too, since money may come late; none: it is nobody's.
 */
export const campaignOfTransfer = (sql: Queryable) => sql`
  select campaign.id, campaign.creator_id
  from campaign
  where campaign.chain_id = transfer.chain_id and campaign.account = transfer.recipient
    and campaign.status <> 'draft' and not campaign.never_opened
    and date_trunc('second', coalesce(campaign.opened_at, campaign.created_at)) <= transfer.mined_at
  order by coalesce(campaign.opened_at, campaign.created_at) desc, campaign.id desc
  limit 1`
