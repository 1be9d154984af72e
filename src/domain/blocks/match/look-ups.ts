import type { Part } from '../../../db/client.ts'
import type { Context } from '../../../db/context.ts'
import type { Donation } from '../../../db/schema/donations.ts'
import { LONGEST_RETRY_MS, nextCheck } from '../../books/index.ts'
import { becomes } from '../../donations/index.ts'

/** A pending donation whose transaction is due for a look-up by hash. */
export type DueDonation = Pick<Donation, 'id'> & {
  txHash: string
  /** Sender and nonce of the transaction; null until a node has shown the pending transaction. */
  sender: string | null
  nonce: number | null
  /** Whether the donation expires if no node knows its transaction now. */
  isOverdue: boolean
}

/** Whether any pending donation or intent of a chain is due for a check. */
export const isAnythingDue = async (ctx: Context, chainId: number): Promise<boolean> => {
  const rows = await ctx.sql`
    select from donation
    where chain_id = ${chainId} and status = 'pending' and next_check_at <= ${ctx.clock.now()}
    limit 1`
  return rows.length > 0
}

/** Lists at most `limit` donations that are due for a look-up by hash, the earliest due first. */
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

/** Records that no node knows the transactions. Expires overdue donations and postpones others. */
export const noteUnseen = (ctx: Context, donationIds: readonly string[]): Promise<void> => {
  const { clock } = ctx
  const isOverdue = ctx.sql`(${clock.isTrusted()}::boolean and expires_at <= ${clock.now()})`
  return updatePending(
    ctx,
    donationIds,
    ctx.sql`
      ${becomes(ctx.sql, null, { expire: isOverdue })},
      reason = case when ${isOverdue} then 'never_seen' else 'waiting_for_transaction' end,
      checks = checks + 1,
      next_check_at = case when ${isOverdue} then null else ${nextCheck(ctx)} end`,
  )
}

/** Records that no node answered. The donations stay due until a node answers. */
export const noteUnanswered = (ctx: Context, donationIds: readonly string[]): Promise<void> =>
  updatePending(
    ctx,
    donationIds,
    ctx.sql`reason = 'node_unavailable'`,
    ctx.sql`and reason is distinct from 'node_unavailable'`,
  )

/** Postpones look-ups that got no usable answer, and stores the reason. Expires no donation. */
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
 * Records that another, unknown transaction has used the nonce of a claimed transaction. The
 * donations do not fail now, because the unknown transaction may pay the same campaign.
 */
export const noteLostNonce = (ctx: Context, donationIds: readonly string[]): Promise<void> =>
  updatePending(ctx, donationIds, ctx.sql`reason = 'replacement_not_found'`)

/**
 * Updates the donations that are still pending. Skips rows that another database transaction has
 * locked, because waiting without the chain's lock could cause a deadlock.
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
 * Makes donations due now if their next check is too far in the future, because a clock was wrong.
 * Skips pending intents, whose check waits until they expire.
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
