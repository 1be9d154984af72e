import type { Context } from '../context.ts'

/** Who signed a transaction that a node holds in its pool, and with which nonce. */
export type SignedBy = { txHash: string; sender: string; nonce: number }

/** A claimed transaction whose nonce another one has used up. */
export type Replacement = {
  txHash: string
  /** The transaction that took its place. */
  by: string
  /** The accounts that this one paid. */
  paid: readonly string[]
}

export const REPLACED = 'transaction_replaced'

/**
 * Notes who signed claimed transactions while a pool still shows them: what a replacement shares.
 */
export const noteSigners = async (
  ctx: Context,
  chainId: number,
  signed: readonly SignedBy[],
): Promise<void> => {
  if (signed.length === 0) return
  const rows = signed.map((one) => ({
    tx_hash: one.txHash,
    sender: one.sender,
    nonce: one.nonce,
  }))
  await ctx.sql`
    update donation set tx_sender = row.sender, tx_nonce = row.nonce
    from jsonb_to_recordset(${ctx.sql.json(rows)}) as row (tx_hash text, sender text, nonce bigint)
    where donation.tx_hash = row.tx_hash and donation.id in (
      select id from donation
      where chain_id = ${chainId} and tx_hash = any(${signed.map((one) => one.txHash)})
        and status = 'pending' and tx_sender is null
      for no key update skip locked)`
}

/**
 * Says of donations whose nonce is used up, by a transaction that no node shows: they are left to
 * expire, since what cannot be found cannot be judged.
 */
export const noteLostNonce = async (
  ctx: Context,
  donationIds: readonly string[],
): Promise<void> => {
  if (donationIds.length === 0) return
  await ctx.sql`
    update donation set reason = 'replacement_not_found'
    where id in (
      select id from donation
      where id = any(${donationIds as string[]}::uuid[]) and status = 'pending'
      for no key update skip locked)`
}

/**
 * Lets donations follow the transactions that replaced theirs, in a final block of our chain.
 * - One that pays the same campaign (it was sped up) is claimed by the oldest donation that it
 *   replaced, unless it is claimed already.
 * - For any other the donation fails.
 *
 * The caller holds the chain's lock, and matches the block's transactions after this.
 */
export const replaceTransactions = async (
  ctx: Context,
  chainId: number,
  block: { number: number; hash: string },
  replacements: readonly Replacement[],
): Promise<void> => {
  const rows = replacements.map(({ txHash, by, paid }) => ({ tx_hash: txHash, by, paid }))
  await ctx.sql`
    with claim as (
      select donation.id, donation.campaign_id, donation.claimed_position, donation.created_at,
        row.by,
        row.paid ? campaign.account and not exists (
          select from donation other
          where other.chain_id = ${chainId} and other.tx_hash = row.by
            and other.campaign_id = donation.campaign_id and other.status <> 'failed'
            and (other.claimed_position is null or donation.claimed_position is null
              or other.claimed_position = donation.claimed_position)) as may_follow
      from jsonb_to_recordset(${ctx.sql.json(rows)}) as row (tx_hash text, by text, paid jsonb)
      join donation on donation.chain_id = ${chainId} and donation.tx_hash = row.tx_hash
       and donation.status in ('pending', 'expired')
      join campaign on campaign.id = donation.campaign_id
    ), verdict as (
      select claim.id, claim.by, may_follow and not exists (
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
        status = case when follows then donation.status else 'confirming' end,
        reason = case when follows then donation.reason else ${REPLACED} end,
        block_number = case when not follows then ${block.number}::bigint end,
        block_hash = case when not follows then ${block.hash} end,
        next_check_at = case when follows then donation.next_check_at end
    from verdict where donation.id = verdict.id`
}

/**
 * Gives donations that followed a replacement their own transaction back, where a block holds that
 * after all: a reorganisation has chosen the other of the two. The caller holds the chain's lock,
 * and matches the transactions after this.
 */
export const restoreTransactions = async (
  ctx: Context,
  chainId: number,
  minedTxHashes: readonly string[],
): Promise<void> => {
  if (minedTxHashes.length === 0) return
  await ctx.sql`
    update donation set tx_hash = original_tx_hash, original_tx_hash = null
    where chain_id = ${chainId} and original_tx_hash = any(${minedTxHashes as string[]})
      and status in ('pending', 'expired', 'reversed')
      and not exists (
        select from donation other
        where other.chain_id = donation.chain_id and other.tx_hash = donation.original_tx_hash
          and other.campaign_id = donation.campaign_id and other.status <> 'failed'
          and not other.intent
          and other.claimed_position is not distinct from donation.claimed_position)`
}
