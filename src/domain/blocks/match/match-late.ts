import type { Context } from '../../../db/context.ts'
import { CHAIN_BEHIND_MS } from '../../../kernel/ports/clock.ts'
import { becomes, isOpenToIntents, offerToIntents } from '../../donations/index.ts'
import { matchStored, type StoredTransaction } from './match-donations.ts'

/** At most this many due donations are matched in one transaction, which holds the chain's lock. */
const MATCHED_AT_ONCE = 20_000
/** At most this many due intents are checked in one transaction. */
const INTENTS_AT_ONCE = 1_000
/** The pause until the next check of an overdue intent, while the clock is not trusted. */
const OVERDUE_PAUSE_MS = 60_000

/**
 * Matches due donations to stored transfers without asking a node, and checks due intents. The
 * caller holds the chain's lock. Returns the number of found transactions and changed intents.
 */
export const matchStoredTransfers = async (ctx: Context, chainId: number): Promise<number> => {
  const now = ctx.clock.now()
  const rows = await ctx.sql<StoredTransaction[]>`
    with due as materialized (
      select tx_hash from donation
      where chain_id = ${chainId} and status = 'pending' and next_check_at <= ${now}
        and tx_hash is not null
      order by next_check_at limit ${MATCHED_AT_ONCE}
    )
    select distinct transfer.tx_hash, transfer.block_number, transfer.block_hash
    from due
    cross join lateral (select * from chain_transfer
      where chain_id + 0 = ${chainId} and tx_hash = due.tx_hash offset 0) transfer
    where transfer.block_number is not null
    limit 5000`
  await matchStored(ctx, chainId, rows)
  const left = await listOpen(ctx, chainId, [...new Set(rows.map((row) => row.txHash))])
  await offerToIntents(ctx, chainId, left)
  return rows.length + (await checkDueIntents(ctx, chainId))
}

/** Lists the transfers of the transactions that come from wallets with an unpaid intent. */
const listOpen = async (ctx: Context, chainId: number, txHashes: string[]): Promise<string[]> => {
  if (txHashes.length === 0) return []
  const rows = await ctx.sql<{ id: string }[]>`
    select transfer.id from chain_transfer transfer
    where transfer.chain_id + 0 = ${chainId} and transfer.tx_hash = any(${txHashes})
      and exists (
        select from donation
        where donation.chain_id = ${chainId} and donation.donor_wallet = transfer.sender
          and donation.intent and donation.tx_hash is null offset 0)`
  return rows.map((row) => row.id)
}

/**
 * Matches due intents with payments that are already stored, and expires overdue intents. A later
 * payment can still pay an expired intent. While the clock is not trusted, no intent expires.
 * Returns the number of paid and expired intents.
 */
const checkDueIntents = async (ctx: Context, chainId: number): Promise<number> => {
  const now = ctx.clock.now()
  const due = await ctx.sql<{ id: string; transferId: string | null }[]>`
    with due as materialized (
      select * from donation
      where chain_id = ${chainId} and status = 'pending' and intent and next_check_at <= ${now}
      order by next_check_at limit ${INTENTS_AT_ONCE}
    )
    select due.id, transfer.id as transfer_id
    from due
    join campaign on campaign.id = due.campaign_id
    left join chain_transfer transfer
      on transfer.chain_id = due.chain_id and transfer.sender = due.donor_wallet
     and transfer.recipient = campaign.account and transfer.block_number is not null
     and transfer.mined_at >= date_trunc('second', due.created_at - ${CHAIN_BEHIND_MS} * interval '1 ms')
     and ${isOpenToIntents(ctx.sql)}`
  if (due.length === 0) return 0
  const transferIds = due.flatMap((row) => (row.transferId === null ? [] : [row.transferId]))
  const paid = await offerToIntents(ctx, chainId, [...new Set(transferIds)])
  const isOver = ctx.sql`(expires_at <= ${now} and ${ctx.clock.isTrusted()}::boolean)`
  const later = new Date(now.getTime() + OVERDUE_PAUSE_MS)
  const expired = await ctx.sql<{ over: boolean }[]>`
    update donation
    set ${becomes(ctx.sql, null, { expire: isOver })},
        reason = case when ${isOver} then 'payment_not_received' else reason end,
        next_check_at = case when ${isOver} then null
                             when expires_at > ${now} then expires_at else ${later} end
    where id = any(${[...new Set(due.map((row) => row.id))]}::uuid[]) and status = 'pending'
    returning status = 'expired' as over`
  return paid + expired.filter((row) => row.over).length
}
