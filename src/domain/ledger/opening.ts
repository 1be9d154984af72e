import type { Queryable } from '../../db/client.ts'

/**
 * SQL for a table named `campaign`: with `openingBlock`, the block time and number after which its
 * income counts. Blocks carry whole seconds, so the campaign's own time is cut to the second.
 */
export const openingTime = (sql: Queryable) => sql`
  coalesce(campaign.counts_after,
           date_trunc('second', coalesce(campaign.opened_at, campaign.created_at)))`

/** The block number of the opening; -1 counts all blocks of the second of `openingTime`. */
export const openingBlock = (sql: Queryable) => sql`coalesce(campaign.counts_after_block, -1)`

/** SQL for tables named `campaign` and `transfer`: whether the transfer is after the opening. */
export const isAfterOpening = (sql: Queryable) => sql`
  (transfer.mined_at, transfer.block_number) > (${openingTime(sql)}, ${openingBlock(sql)})`

/** SQL for a table named `campaign`: whether it ever opened. */
export const hasOpened = (sql: Queryable) => sql`
  (campaign.status <> 'draft' and not campaign.never_opened)`

/** SQL for a table named `campaign`: the order in which the campaigns of an account opened. */
export const openingOrder = (sql: Queryable, direction: 'asc' | 'desc') => {
  const way = direction === 'asc' ? sql`asc` : sql`desc`
  return sql`
    ${openingTime(sql)} ${way}, ${openingBlock(sql)} ${way},
    coalesce(campaign.opened_at, campaign.created_at) ${way}, campaign.id ${way}`
}
