import type { Queryable } from '../../../db/client.ts'

/**
 * SQL for a table named `campaign`: only transfers in blocks after this time count as donations.
 * The time is rounded down to the second, because block times are whole seconds.
 */
export const openingTime = (sql: Queryable) => sql`
  coalesce(campaign.counts_after,
           date_trunc('second', coalesce(campaign.opened_at, campaign.created_at)))`

/**
 * SQL for tables named `campaign` and `transfer`: whether the transfer came after the opening. Its
 * time or its block number is newer, because the clock of a chain may be behind ours. Without a
 * block number of the opening, a transfer in the second of the opening counts too.
 */
export const isAfterOpening = (sql: Queryable) => sql`
  (transfer.mined_at > ${openingTime(sql)}
    or coalesce(transfer.block_number > campaign.counts_after_block,
                transfer.mined_at = ${openingTime(sql)}))`

/** SQL for a table named `campaign`: whether the campaign has ever opened. */
export const hasOpened = (sql: Queryable) => sql`
  (campaign.status <> 'draft' and not campaign.never_opened)`

/** SQL for a table named `campaign`: the order in which the campaigns of an account opened. */
export const openingOrder = (sql: Queryable, direction: 'asc' | 'desc') => {
  const way = direction === 'asc' ? sql`asc` : sql`desc`
  return sql`
    ${openingTime(sql)} ${way}, coalesce(campaign.counts_after_block, -1) ${way},
    coalesce(campaign.opened_at, campaign.created_at) ${way}, campaign.id ${way}`
}
