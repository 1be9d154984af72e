import type { Context } from '../context.ts'

/** A claimed transaction that a block holds. */
export type MinedTransaction = {
  txHash: string
  blockNumber: number
  blockHash: string
  reverted: boolean
  unknownTokenRecipients: string[]
}

/** Two donations of one transaction may want the same transfer first; each round settles one choice. */
const MAX_ROUNDS = 16

/**
 * Gives each mined transaction's transfers to the donations that claim them, each transfer to one
 * donation at most, and says of every other donation why it has none. Nothing is final here: what
 * is found counts, and what is refused fails, when the block is final. The caller holds the
 * chain's lock.
 */
export const matchDonations = async (
  ctx: Context,
  chainId: number,
  transactions: readonly MinedTransaction[],
): Promise<void> => {
  if (transactions.length === 0) return
  const mined = ctx.sql.json(
    transactions.map((transaction) => ({
      tx_hash: transaction.txHash,
      block_number: transaction.blockNumber,
      block_hash: transaction.blockHash,
      reverted: transaction.reverted,
    })),
  )
  const seen = await ctx.sql<{ id: string; reason: string }[]>`
    update donation
    set status = 'confirming', block_number = mined.block_number, block_hash = mined.block_hash,
        reason = case when mined.reverted then 'transaction_reverted' else 'unmatched' end,
        next_check_at = null
    from jsonb_to_recordset(${mined})
      as mined (tx_hash text, block_number bigint, block_hash text, reverted boolean)
    where donation.chain_id = ${chainId} and donation.tx_hash = mined.tx_hash
      and donation.status in ('pending', 'expired', 'reversed')
    returning donation.id, donation.reason`
  const unmatched = seen.filter((row) => row.reason === 'unmatched').map((row) => row.id)
  if (unmatched.length === 0) return
  let left = unmatched.length
  for (let round = 0; round < MAX_ROUNDS && left > 0; round++) {
    const matched = await matchOnce(ctx, unmatched)
    left -= matched
    if (matched === 0) break
  }
  if (left > 0) await explainUnmatched(ctx, unmatched, transactions)
}

/** Each donation takes its best free transfer; where several want one, the oldest donation has it. */
const matchOnce = async (ctx: Context, donationIds: string[]): Promise<number> => {
  const rows = await ctx.sql`
    with choice as (
      select distinct on (donation.id)
             donation.id as donation_id, donation.created_at, transfer.id as transfer_id
      from donation
      join campaign on campaign.id = donation.campaign_id
      join chain_transfer transfer
        on transfer.chain_id = donation.chain_id and transfer.tx_hash = donation.tx_hash
       and transfer.recipient = campaign.account
      where donation.id = any(${donationIds}::uuid[])
        and donation.status = 'confirming' and donation.reason = 'unmatched'
        and transfer.block_number is not null
        and (donation.claimed_position is null or donation.claimed_position = transfer.position)
        and donation.ledger_address in (transfer.sender, transfer.recipient)
        and transfer.mined_at >= date_trunc('second', campaign.created_at)
        and not exists (select from donation other where other.transfer_id = transfer.id)
      order by donation.id, transfer.asset_id = donation.declared_asset_id desc,
               transfer.amount = donation.declared_amount desc, transfer.position
    ), winner as (
      select distinct on (transfer_id) donation_id, transfer_id
      from choice order by transfer_id, created_at, donation_id
    )
    update donation
    set transfer_id = transfer.id, reason = 'waiting_for_finality',
        confirmed_asset_id = transfer.asset_id, confirmed_amount = transfer.amount
    from winner join chain_transfer transfer on transfer.id = winner.transfer_id
    where donation.id = winner.donation_id
    returning 1`
  return rows.length
}

/** Says why a mined transaction holds nothing for the donation that claims it. */
const explainUnmatched = async (
  ctx: Context,
  donationIds: string[],
  transactions: readonly MinedTransaction[],
): Promise<void> => {
  const unknownTokens = transactions.flatMap((transaction) =>
    transaction.unknownTokenRecipients.map((recipient) => ({
      tx_hash: transaction.txHash,
      recipient,
    })),
  )
  await ctx.sql`
    with verdict as (
      select donation.id,
        case
          when count(transfer.id) = 0 and exists (
            select from jsonb_to_recordset(${ctx.sql.json(unknownTokens)})
              as token (tx_hash text, recipient text)
            where token.tx_hash = donation.tx_hash and token.recipient = campaign.account
          ) then 'unknown_token'
          when count(transfer.id) = 0 then 'wrong_recipient'
          when count(*) filter (where donation.claimed_position is null
            or transfer.position = donation.claimed_position) = 0 then 'no_such_transfer'
          when count(*) filter (where donation.ledger_address
            in (transfer.sender, transfer.recipient)) = 0 then 'ledger_address_mismatch'
          when count(*) filter (where transfer.mined_at
            >= date_trunc('second', campaign.created_at)) = 0 then 'transfer_before_campaign'
          else 'transfer_already_claimed'
        end as reason
      from donation
      join campaign on campaign.id = donation.campaign_id
      left join chain_transfer transfer
        on transfer.chain_id = donation.chain_id and transfer.tx_hash = donation.tx_hash
       and transfer.recipient = campaign.account and transfer.block_number is not null
      where donation.id = any(${donationIds}::uuid[])
        and donation.status = 'confirming' and donation.reason = 'unmatched'
      group by donation.id, campaign.account
    )
    update donation set reason = verdict.reason from verdict where donation.id = verdict.id`
}
