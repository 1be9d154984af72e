import type { Context } from '../../../db/context.ts'
import { becomes } from '../../donations/index.ts'

/** Sender and nonce of a transaction that is not in a block yet. */
type SignedBy = { txHash: string; sender: string; nonce: number }

/** A claimed transaction whose nonce was used by another transaction. */
export type Replacement = {
  txHash: string
  /** The hash of the other transaction. */
  by: string
  /** The accounts that the other transaction paid. */
  paid: readonly string[]
}

/**
 * Stores sender and nonce of claimed transactions that a node shows before they are in a block. A
 * later transaction with the same sender and nonce is a replacement.
 */
export const noteSigners = async (
  ctx: Context,
  chainId: number,
  signed: readonly SignedBy[],
): Promise<void> => {
  if (signed.length === 0) return
  await ctx.sql`
    update donation set tx_sender = bytes_of(row.sender), tx_nonce = row.nonce
    from jsonb_to_recordset(${ctx.sql.json(signed)}) as row ("txHash" text, sender text, nonce bigint)
    where donation.tx_hash = bytes_of(row."txHash") and donation.id in (
      select id from donation
      where chain_id + 0 = ${chainId} and tx_hash = any(${signed.map((one) => one.txHash)})
        and status = 'pending' and tx_sender is null
      for no key update skip locked)`
}

/**
 * Handles claimed transactions that were replaced in a final block:
 * - If the replacement pays the same campaign, and no donation claims the replacement yet, the
 *   oldest donation of the replaced transaction claims the replacement.
 * - All other donations of the replaced transaction fail.
 *
 * The caller holds the chain's lock, and matches the block's transactions after this call.
 */
export const replaceTransactions = async (
  ctx: Context,
  chainId: number,
  block: { number: number },
  replacements: readonly Replacement[],
): Promise<void> => {
  await ctx.sql`
    with claim as (
      select donation.id, donation.campaign_id, donation.claimed_position, donation.created_at,
        row.by,
        row.paid ? hex_of(campaign.account) as pays,
        row.paid ? hex_of(campaign.account) and not exists (
          select from donation other
          where other.chain_id + 0 = ${chainId} and other.tx_hash = row.by
            and other.campaign_id = donation.campaign_id and other.status <> 'failed'
            and (other.claimed_position is null or donation.claimed_position is null
              or other.claimed_position = donation.claimed_position)) as may_follow
      from (select bytes_of("txHash") as tx_hash, bytes_of(by) as by, paid
        from jsonb_to_recordset(${ctx.sql.json(replacements)})
          as given ("txHash" text, by text, paid jsonb)) row
      cross join lateral (select * from donation where chain_id + 0 = ${chainId}
        and tx_hash = row.tx_hash and status in ('pending', 'expired') offset 0) donation
      join campaign on campaign.id = donation.campaign_id
    ), verdict as (
      select claim.id, claim.by, claim.pays, may_follow and not exists (
        select from claim earlier
        where earlier.may_follow and earlier.by = claim.by
          and earlier.campaign_id = claim.campaign_id
          and (earlier.created_at, earlier.id) < (claim.created_at, claim.id)
          and (earlier.claimed_position is null or claim.claimed_position is null
            or earlier.claimed_position = claim.claimed_position)) as follows
      from claim
    )
    update donation
    set tx_hash = case when follows then verdict.by else donation.tx_hash end,
        original_tx_hash = case when follows
          then coalesce(donation.original_tx_hash, donation.tx_hash)
          else donation.original_tx_hash end,
        replaced_by = case when not follows then verdict.by end,
        ${becomes(ctx.sql, null, { replace: ctx.sql`not follows` })},
        reason = case when follows then donation.reason when pays then 'transfer_already_claimed'
                      else 'transaction_replaced' end,
        block_number = case when not follows then ${block.number}::bigint end,
        next_check_at = case when follows then donation.next_check_at end
    from verdict where donation.id = verdict.id`
}

/**
 * After a reorg, a block may have the original transaction instead of its replacement. Then the
 * donations that claim the replacement claim the original again. The caller holds the chain's lock.
 */
export const restoreTransactions = async (
  ctx: Context,
  chainId: number,
  minedTxHashes: readonly string[],
): Promise<void> => {
  if (minedTxHashes.length === 0) return
  await ctx.sql`
    update donation set tx_hash = original_tx_hash, original_tx_hash = null
    where chain_id + 0 = ${chainId} and original_tx_hash = any(${minedTxHashes as string[]})
      and status in ('pending', 'expired', 'reversed')
      and not exists (
        select from donation other
        where other.chain_id + 0 = donation.chain_id and other.tx_hash = donation.original_tx_hash
          and other.campaign_id = donation.campaign_id and other.status <> 'failed'
          and not other.intent
          and other.claimed_position is not distinct from donation.claimed_position)`
}
