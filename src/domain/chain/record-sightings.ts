import { newId } from '../../kernel/ids.ts'
import type { Context } from '../context.ts'
import { matchDonations } from '../donation/index.ts'

/** A transfer to a campaign's account, in a block that is part of the chain. */
export type SeenTransfer = {
  txHash: string
  position: number
  assetId: string
  sender: string
  recipient: string
  amount: bigint
  blockNumber: number
  blockHash: string
  minedAt: Date
}

/** A claimed transaction that a block holds, and what it did beyond the transfers that count. */
export type SeenTransaction = {
  txHash: string
  blockNumber: number
  blockHash: string
  minedAt: Date
  reverted: boolean
  /** Accounts that it paid in tokens that this deployment does not know. */
  unknownTokenRecipients: string[]
}

export type Sightings = { transfers: SeenTransfer[]; transactions: SeenTransaction[] }

/**
 * Writes what verified blocks hold and gives each claimed transaction to its donation. The caller
 * holds the chain's lock, and the blocks are on the chain as the cursor knows it.
 */
export const recordSightings = async (
  ctx: Context,
  chainId: number,
  sightings: Sightings,
): Promise<void> => {
  await upsertTransfers(ctx, chainId, sightings.transfers)
  await matchDonations(ctx, chainId, sightings.transactions)
}

/** A transfer that comes back in another block keeps its identity and takes the block's attributes. */
const upsertTransfers = async (
  ctx: Context,
  chainId: number,
  transfers: readonly SeenTransfer[],
): Promise<void> => {
  if (transfers.length === 0) return
  const now = ctx.clock.now()
  const rows = transfers.map((transfer) => ({
    id: newId(now.getTime()),
    tx_hash: transfer.txHash,
    position: transfer.position,
    asset_id: transfer.assetId,
    sender: transfer.sender,
    recipient: transfer.recipient,
    amount: transfer.amount.toString(),
    block_number: transfer.blockNumber,
    block_hash: transfer.blockHash,
    mined_at: transfer.minedAt.toISOString(),
  }))
  await ctx.sql`
    insert into chain_transfer
      (id, chain_id, tx_hash, position, asset_id, sender, recipient, amount,
       block_number, block_hash, mined_at, seen_at)
    select id, ${chainId}, tx_hash, position, asset_id, sender, recipient, amount,
           block_number, block_hash, mined_at, ${now}
    from jsonb_to_recordset(${ctx.sql.json(rows)})
      as row (id uuid, tx_hash text, position int, asset_id text, sender text, recipient text,
              amount numeric, block_number bigint, block_hash text, mined_at timestamptz)
    on conflict (chain_id, tx_hash, position, recipient) do update
    set asset_id = excluded.asset_id, sender = excluded.sender, recipient = excluded.recipient,
        amount = excluded.amount, block_number = excluded.block_number,
        block_hash = excluded.block_hash, mined_at = excluded.mined_at
    where chain_transfer.block_hash is distinct from excluded.block_hash`
}
