import type { Queryable } from '../../../db/client.ts'
import { among, type Slice } from './slice.ts'

const COLUMNS = { entries: 'id', donations: 'donation_id', milestones: 'milestone_id' } as const

/** SQL for a table expression: the entries without a reversal, either all or those of a slice. */
export const standingEntries = (
  sql: Queryable,
  slice?: Slice,
  rows: keyof typeof COLUMNS = 'entries',
) => sql`
  select entry.* from ledger_entry entry
  where entry.kind <> 'reversal'
    and not exists (select from ledger_entry reversal where reversal.reverses = entry.id)
    ${among(sql, `entry.${COLUMNS[rows]}`, slice, rows)}`

/**
 * SQL for a table expression: the amount raised by each campaign. Gives the same as the view
 * `campaign_ledger_total`, but reads each entry once and not once per account.
 */
export const raisedByCampaign = (sql: Queryable) => sql`
  select account.campaign_id, sum(side.amount) as raised
  from (
    select credit_account as account_id, amount from ledger_entry
    union all
    select debit_account, -amount from ledger_entry
  ) side
  join ledger_account account on account.id = side.account_id
  where account.kind in ('held', 'released')
  group by account.campaign_id`

/** A row is written at most this long after the time it carries. */
export const LATE_COMMIT_MINUTES = 10
