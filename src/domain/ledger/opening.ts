import type { Queryable } from '../../db/client.ts'

/**
 * SQL for a table named `campaign`: only transfers in blocks after this time count as donations.
 * The time is rounded down to the second, because block times are whole seconds.
 */
export const openingTime = (sql: Queryable) => sql`
  coalesce(campaign.counts_after,
           date_trunc('second', coalesce(campaign.opened_at, campaign.created_at)))`

/** SQL for a table named `campaign`: a transfer at `openingTime` counts only above this block. */
export const openingBlock = (sql: Queryable) => sql`coalesce(campaign.counts_after_block, -1)`

/** SQL for tables named `campaign` and `transfer`: whether the transfer came after the opening. */
export const isAfterOpening = (sql: Queryable) => sql`
  (transfer.mined_at, transfer.block_number) > (${openingTime(sql)}, ${openingBlock(sql)})`

/** SQL for a table named `campaign`: whether the campaign has ever opened. */
export const hasOpened = (sql: Queryable) => sql`
  (campaign.status <> 'draft' and not campaign.never_opened)`

/** SQL for a table named `campaign`: the order in which the campaigns of an account opened. */
export const openingOrder = (sql: Queryable, direction: 'asc' | 'desc') => {
  const way = direction === 'asc' ? sql`asc` : sql`desc`
  return sql`
    ${openingTime(sql)} ${way}, ${openingBlock(sql)} ${way},
    coalesce(campaign.opened_at, campaign.created_at) ${way}, campaign.id ${way}`
}
