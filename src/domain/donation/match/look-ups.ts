import type { Part } from '../../../db/client.ts'
import type { Donation } from '../../../db/schema/donations.ts'
import type { Context } from '../../context.ts'
import { LONGEST_RETRY_MS, nextCheck } from '../../price/index.ts'

/** A donation without a block whose transaction is due for a look-up by hash. */
export type DueDonation = Pick<Donation, 'id'> & {
  txHash: string
  /** Sender and nonce of the transaction, once a mempool has shown it. */
  sender: string | null
  nonce: number | null
  /** It expires unless a node knows its transaction. */
  isOverdue: boolean
}

/** Whether any donation or intent of a chain is due. */
export const isAnythingDue = async (ctx: Context, chainId: number): Promise<boolean> => {
  const rows = await ctx.sql`
    select from donation
    where chain_id = ${chainId} and status = 'pending' and next_check_at <= ${ctx.clock.now()}
    limit 1`
  return rows.length > 0
}

/** The donations that are due for a look-up by hash, the longest waiting first. */
export const listDueDonations = async (
  ctx: Context,
  chainId: number,
  limit: number,
): Promise<DueDonation[]> => {
  const now = ctx.clock.now()
  return ctx.sql<DueDonation[]>`
    select id, tx_hash, tx_sender as sender, tx_nonce as nonce, expires_at <= ${now} as is_overdue
    from donation
    where chain_id = ${chainId} and status = 'pending' and next_check_at <= ${now}
      and tx_hash is not null
    order by next_check_at limit ${limit}`
}

/** Records that no node knows these transactions. Expires overdue donations, postpones others. */
export const noteUnseen = (ctx: Context, donationIds: readonly string[]): Promise<void> => {
  const isOverdue = ctx.sql`expires_at <= ${ctx.clock.now()}`
  return updatePending(
    ctx,
    donationIds,
    ctx.sql`
      status = case when ${isOverdue} then 'expired' else 'pending' end,
      reason = case when ${isOverdue} then 'never_seen' else 'waiting_for_transaction' end,
      checks = checks + 1,
      next_check_at = case when ${isOverdue} then null else ${nextCheck(ctx)} end`,
  )
}

/** Records that no node answered. The donations stay due, so that the first answer is used. */
export const noteUnanswered = (ctx: Context, donationIds: readonly string[]): Promise<void> =>
  updatePending(
    ctx,
    donationIds,
    ctx.sql`reason = 'node_unavailable'`,
    ctx.sql`and reason is distinct from 'node_unavailable'`,
  )

/** Postpones look-ups without a usable answer, with the reason. It expires no donation. */
export const postponeChecks = (
  ctx: Context,
  donationIds: readonly string[],
  reason: string,
): Promise<void> =>
  updatePending(
    ctx,
    donationIds,
    ctx.sql`reason = ${reason}, checks = checks + 1, next_check_at = ${nextCheck(ctx)}`,
  )

/**
 * Records that the nonce of these donations is used, but no node shows by which transaction. They
 * expire in time, because a replacement that is not found cannot be judged.
 */
export const noteLostNonce = (ctx: Context, donationIds: readonly string[]): Promise<void> =>
  updatePending(ctx, donationIds, ctx.sql`reason = 'replacement_not_found'`)

/**
 * Updates the donations that are still pending. Skips locked rows, because another transaction
 * matches them: waiting for it without the chain's lock could deadlock.
 */
const updatePending = async (
  { sql }: Context,
  donationIds: readonly string[],
  changes: Part,
  condition: Part = sql``,
): Promise<void> => {
  if (donationIds.length === 0) return
  await sql`
    update donation set ${changes}
    where id in (
      select id from donation
      where id = any(${donationIds as string[]}::uuid[]) and status = 'pending'
      for no key update skip locked) ${condition}`
}

/**
 * Makes donations due that are postponed by more than the longest pause, because a clock was ahead.
 * Not intents, which wait until they expire.
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
