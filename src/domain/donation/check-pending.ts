import type { Context } from '../context.ts'
import { checkDueIntents } from './check-intents.ts'
import { matchStored } from './match-donations.ts'
import { offerToIntents } from './match-intents.ts'

/** A donation whose transaction no block has shown yet, and whose turn it is to be looked up. */
export type DueDonation = {
  id: string
  txHash: string
  /** Who signed it and with which nonce, once a pool has shown it. */
  sender: string | null
  nonce: number | null
  /** Its time is over: it expires unless a node knows its transaction. */
  isOverdue: boolean
}

/** Due donations that are matched at a time, while the chain's lock is held. */
const MATCHED_AT_ONCE = 20_000
const FIRST_RETRY_MS = 5_000
/** No donation waits longer before it is checked again, for a block or for a price. */
const LONGEST_RETRY_MS = 600_000

/** Whether the turn of any donation or intent has come. */
export const isAnythingDue = async (ctx: Context, chainId: number): Promise<boolean> => {
  const rows = await ctx.sql`
    select from donation
    where chain_id = ${chainId} and status = 'pending' and next_check_at <= ${ctx.clock.now()}
    limit 1`
  return rows.length > 0
}

/**
 * Matches due donations whose transfer the sync has stored already, without asking a node, and
 * takes up the intents that are due. The caller holds the chain's lock. Returns how many there
 * were.
 */
export const matchStoredTransfers = async (ctx: Context, chainId: number): Promise<number> => {
  const now = ctx.clock.now()
  const rows = await ctx.sql<{ txHash: string; blockNumber: number; blockHash: string }[]>`
    with due as materialized (
      select tx_hash from donation
      where chain_id = ${chainId} and status = 'pending' and next_check_at <= ${now}
        and tx_hash is not null
      order by next_check_at limit ${MATCHED_AT_ONCE}
    )
    select distinct transfer.tx_hash, transfer.block_number, transfer.block_hash
    from due
    join chain_transfer transfer
      on transfer.chain_id = ${chainId} and transfer.tx_hash = due.tx_hash
    where transfer.block_number is not null
    limit 5000`
  await matchStored(
    ctx,
    chainId,
    rows.map((row) => ({
      txHash: row.txHash,
      blockNumber: row.blockNumber,
      blockHash: row.blockHash,
    })),
  )
  const left = await listOpen(ctx, chainId, [...new Set(rows.map((row) => row.txHash))])
  await offerToIntents(ctx, chainId, left)
  return rows.length + (await checkDueIntents(ctx, chainId))
}

/** What no claim by hash has taken may be the payment of an intent. */
const listOpen = async (ctx: Context, chainId: number, txHashes: string[]): Promise<string[]> => {
  if (txHashes.length === 0) return []
  const rows = await ctx.sql<{ id: string }[]>`
    select transfer.id from chain_transfer transfer
    where transfer.chain_id = ${chainId} and transfer.tx_hash = any(${txHashes})
      and exists (
        select from donation
        where donation.chain_id = ${chainId} and donation.donor_wallet = transfer.sender
          and donation.intent and donation.tx_hash is null)`
  return rows.map((row) => row.id)
}

/** Donations that are due for a look-up by hash, the longest waiting first. */
export const listDueDonations = async (
  ctx: Context,
  chainId: number,
  limit: number,
): Promise<DueDonation[]> => {
  const now = ctx.clock.now()
  const rows = await ctx.sql<
    {
      id: string
      txHash: string
      txSender: string | null
      txNonce: number | null
      overdue: boolean
    }[]
  >`
    select id, tx_hash, tx_sender, tx_nonce, expires_at <= ${now} as overdue from donation
    where chain_id = ${chainId} and status = 'pending' and next_check_at <= ${now}
      and tx_hash is not null
    order by next_check_at limit ${limit}`
  return rows.map((row) => ({
    id: row.id,
    txHash: row.txHash,
    sender: row.txSender,
    nonce: row.txNonce,
    isOverdue: row.overdue,
  }))
}

/**
 * Notes that a node answered and did not know these transactions: each waits twice as long before
 * it is looked up again, and expires after its time.
 */
export const noteUnseen = async (ctx: Context, donationIds: readonly string[]): Promise<void> => {
  if (donationIds.length === 0) return
  const now = ctx.clock.now()
  await ctx.sql`
    update donation
    set status = case when expires_at <= ${now} then 'expired' else 'pending' end,
        reason = case when expires_at <= ${now} then 'never_seen' else 'waiting_for_transaction' end,
        checks = checks + 1,
        next_check_at = case when expires_at <= ${now} then null else
          ${now}::timestamptz + make_interval(secs =>
            least(${FIRST_RETRY_MS} * 2 ^ least(checks, 20), ${LONGEST_RETRY_MS}) / 1000.0) end
    where id in (${freePending(ctx, donationIds)})`
}

/**
 * Says that no node answered. The look-ups stay due, so that they run as soon as a node answers.
 */
export const noteUnanswered = async (
  ctx: Context,
  donationIds: readonly string[],
): Promise<void> => {
  if (donationIds.length === 0) return
  await ctx.sql`
    update donation set reason = 'node_unavailable'
    where id in (${freePending(ctx, donationIds)}) and reason is distinct from 'node_unavailable'`
}

/**
 * Puts a look-up off because a node's answer could not be used: says so, and never lets it expire.
 */
export const postponeChecks = async (
  ctx: Context,
  donationIds: readonly string[],
  reason: string,
): Promise<void> => {
  if (donationIds.length === 0) return
  await ctx.sql`
    update donation
    set reason = ${reason}, checks = checks + 1,
        next_check_at = ${ctx.clock.now()}::timestamptz + make_interval(secs =>
          least(${FIRST_RETRY_MS} * 2 ^ least(checks, 20), ${LONGEST_RETRY_MS}) / 1000.0)
    where id in (${freePending(ctx, donationIds)})`
}

/**
 * Those of some donations that are still pending. Rows that another transaction has locked are
 * being matched by it and are skipped: waiting for them without the chain's lock could deadlock.
 */
const freePending = (ctx: Context, donationIds: readonly string[]) => ctx.sql`
  select id from donation
  where id = any(${donationIds as string[]}::uuid[]) and status = 'pending'
  for no key update skip locked`

/**
 * Makes donations due whose turn is further away than any pause can put it: a clock that was ahead
 * has put it there. Intents are left out, because they wait until they expire.
 */
export const clampChecks = async (ctx: Context, limit: number): Promise<number> => {
  const now = ctx.clock.now()
  const clamped = await ctx.sql`
    update donation set next_check_at = ${now}
    where id in (
      select id from donation
      where chain_id = any(${ctx.settings.assets.chainIds}::bigint[])
        and next_check_at > ${new Date(now.getTime() + LONGEST_RETRY_MS)}
        and not (intent and status = 'pending')
      limit ${limit} for no key update skip locked)`
  return clamped.count
}
