import type { Part } from '../../../db/client.ts'
import type { Context } from '../../../db/context.ts'
import type { MinedTransfer } from '../../../db/schema/chains.ts'
import { isAfterOpening, isEscrowedAsset, isPaidBack } from '../../books/index.ts'
import { becomes } from '../../donations/index.ts'

export type StoredTransaction = Pick<MinedTransfer, 'txHash' | 'blockNumber' | 'blockHash'>

/** A mined transaction that at least one donation claims. */
type MinedTransaction = StoredTransaction & {
  reverted: boolean
  unknownTokenRecipients: string[]
  /** Whether this version of the service does not support the block's format. */
  unsupported?: boolean
  returned: { recipient: string; position: number }[]
}

/** The limit of rounds. In each round, donations that lost their choice choose again. */
const MAX_ROUNDS = 16

/**
 * Gives each donation that claims a mined transaction at most one transfer of this transaction, and
 * each transfer to at most one donation. Stores the reason if a donation gets no transfer. The
 * donations are credited or fail when the block is final. The caller holds the chain's lock.
 */
export const matchDonations = async (
  ctx: Context,
  chainId: number,
  transactions: readonly MinedTransaction[],
): Promise<void> => {
  const unmatched = await matchInRounds(ctx, chainId, transactions, { refuse: true })
  if (unmatched.length > 0) await explainUnmatched(ctx, unmatched, transactions)
}

/** Matches stored transfers to donations. Does not change donations that get no transfer. */
export const matchStored = async (
  ctx: Context,
  chainId: number,
  transactions: readonly StoredTransaction[],
): Promise<void> => {
  const mined = transactions.map((one) => ({ ...one, reverted: false }))
  await matchInRounds(ctx, chainId, mined, { refuse: false })
}

type Matchable = StoredTransaction & { reverted: boolean }

/** Matches until no donation gets another transfer. Returns the donations that got no transfer. */
const matchInRounds = async (
  ctx: Context,
  chainId: number,
  transactions: readonly Matchable[],
  { refuse }: { refuse: boolean },
): Promise<string[]> => {
  if (transactions.length === 0) return []
  let unmatched: string[] = []
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const seen = await matchOnce(ctx, chainId, transactions, { refuse })
    unmatched = seen.filter((row) => row.reason === 'unmatched').map((row) => row.id)
    const settled = refuse && unmatched.length === 0
    if (settled || !seen.some((row) => row.reason === 'waiting_for_finality')) break
  }
  return unmatched
}

/**
 * Each donation chooses its best free transfer. If several donations choose the same transfer, the
 * oldest donation gets the transfer.
 *
 * The LATERALs with OFFSET and LIMIT prevent a slow order of the joins.
 */
const matchOnce = (
  ctx: Context,
  chainId: number,
  transactions: readonly Matchable[],
  { refuse }: { refuse: boolean },
): Promise<{ id: string; reason: string }[]> => {
  const mined = transactions.map(({ txHash, blockNumber, reverted }) => {
    return { txHash, blockNumber, reverted }
  })
  return ctx.sql<{ id: string; reason: string }[]>`
    with choice as (
      select donation.id, mined."blockNumber", mined.reverted,
             transfer.id as transfer_id, transfer.asset_id, transfer.amount,
             row_number() over (
               partition by transfer.id order by donation.created_at, donation.id) as place
      from jsonb_to_recordset(${ctx.sql.json(mined)})
        as mined ("txHash" text, "blockNumber" bigint, reverted boolean)
      cross join lateral (
        select * from donation
        where donation.chain_id + 0 = ${chainId} and donation.tx_hash = bytes_of(mined."txHash")
          and (donation.status in ('pending', 'expired', 'reversed')
            or (donation.status = 'confirming' and donation.reason = 'unmatched'))
        offset 0
      ) donation
      left join lateral (
        select transfer.id, transfer.asset_id, transfer.amount
        from (
          select * from chain_transfer seen
          where seen.chain_id + 0 = ${chainId} and seen.tx_hash = bytes_of(mined."txHash")
          offset 0
        ) transfer
        join campaign on campaign.id = donation.campaign_id and campaign.account = transfer.recipient
        where not mined.reverted and transfer.block_number is not null
          and (donation.claimed_position is null or donation.claimed_position = transfer.position)
          and donation.ledger_address in (transfer.sender, transfer.recipient)
          and ${isAfterOpening(ctx.sql)}
          and ${isTakenAsset(ctx)} and ${isEscrowedAsset(ctx.sql)} and not ${isPaidBack(ctx.sql)}
          and not exists (select from donation other where other.transfer_id = transfer.id)
        order by transfer.asset_id = donation.declared_asset_id desc,
                 transfer.amount = donation.declared_amount desc, transfer.position
        limit 1
      ) transfer on true
    ), verdict as (
      select *, transfer_id is not null and place = 1 as won from choice
    )
    update donation
    set ${becomes(ctx.sql, 'match')}, next_check_at = null,
        block_number = verdict."blockNumber",
        reason = case when verdict.reverted then 'transaction_reverted'
                      when verdict.won then 'waiting_for_finality' else 'unmatched' end,
        transfer_id = case when verdict.won then verdict.transfer_id end,
        confirmed_asset_id = case when verdict.won
          then nullif(verdict.asset_id, donation.declared_asset_id) end,
        confirmed_amount = case when verdict.won then verdict.amount end
    from verdict
    where donation.id = verdict.id and (${refuse} or verdict.won)
    returning donation.id, donation.reason`
}

/**
 * SQL: whether the transfer's asset takes new donations, or is the asset that the donation named.
 */
const isTakenAsset = ({ sql, settings }: Context): Part => {
  const retired = settings.assets.all.flatMap((asset) => (asset.retired ? [asset.id] : []))
  return sql`(transfer.asset_id = donation.declared_asset_id
    or transfer.asset_id <> all(${retired}::text[]))`
}

/** Stores the reason why a donation gets no transfer of the mined transaction that it claims. */
const explainUnmatched = async (
  ctx: Context,
  donationIds: string[],
  transactions: readonly MinedTransaction[],
): Promise<void> => {
  await ctx.sql`
    with verdict as (
      select donation.id,
        exists (
          select from jsonb_to_recordset(mined.returned) as gone (recipient text, position int)
          where bytes_of(gone.recipient) = campaign.account
            and (donation.claimed_position is null or donation.claimed_position = gone.position)
        ) as returned,
        case
          when mined.unsupported then 'block_unsupported'
          when count(transfer.id) = 0 and mined."unknownTokenRecipients" ? hex_of(campaign.account)
            then 'unknown_token'
          when count(transfer.id) = 0 then 'wrong_recipient'
          when count(*) filter (where donation.claimed_position is null
            or transfer.position = donation.claimed_position) = 0 then 'no_such_transfer'
          when count(*) filter (where donation.ledger_address
            in (transfer.sender, transfer.recipient)) = 0 then 'ledger_address_mismatch'
          when count(*) filter (where ${isAfterOpening(ctx.sql)}) = 0
            then 'transfer_before_campaign'
          when count(*) filter (where ${isTakenAsset(ctx)}) = 0 then 'unknown_token'
          when count(*) filter (where ${isEscrowedAsset(ctx.sql)}) = 0 then 'asset_not_escrowed'
          else 'transfer_already_claimed'
        end as reason
      from donation
      join jsonb_to_recordset(${ctx.sql.json(transactions)})
        as mined ("txHash" text, unsupported boolean, "unknownTokenRecipients" jsonb, returned jsonb)
        on bytes_of(mined."txHash") = donation.tx_hash
      join campaign on campaign.id = donation.campaign_id
      left join lateral (select * from chain_transfer
        where chain_id + 0 = donation.chain_id and tx_hash = donation.tx_hash offset 0) transfer
        on transfer.recipient = campaign.account and transfer.block_number is not null
      where donation.id = any(${donationIds}::uuid[])
        and donation.status = 'confirming' and donation.reason = 'unmatched'
      group by donation.id, campaign.id, mined.unsupported, mined."unknownTokenRecipients",
               mined.returned
    )
    update donation
    set reason = case
      when verdict.returned
        and verdict.reason not in ('ledger_address_mismatch', 'transfer_before_campaign')
      then 'returned_in_transaction' else verdict.reason end
    from verdict where donation.id = verdict.id`
}
