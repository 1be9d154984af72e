import type { ChainTransfer } from '../../db/schema/chains.ts'
import { newId } from '../../kernel/formats/ids.ts'
import { NATIVE_POSITION } from '../../kernel/formats/log-position.ts'
import type { Context } from '../context.ts'
import { matchDonations, offerToIntents, restoreTransactions } from '../donation/index.ts'

/** A transfer to a campaign's account, in a block that is part of the chain. */
export type ObservedTransfer = Pick<
  ChainTransfer,
  'txHash' | 'position' | 'assetId' | 'sender' | 'recipient'
> & {
  /** The source of the evidence. Only `log` and `value` mean proven receipts and transactions. */
  source: 'log' | 'value' | 'trace' | 'balance'
  /** The amount that counts: the recipient still had this amount at the end of the transaction. */
  amount: bigint
  blockNumber: number
  blockHash: string
  minedAt: Date
}

/** A claimed transaction in a block. Its transfers that count are in `Observed.transfers`. */
type ObservedTransaction = {
  txHash: string
  blockNumber: number
  blockHash: string
  minedAt: Date
  reverted: boolean
  /** Accounts that the transaction paid in tokens unknown to this deployment. */
  unknownTokenRecipients: string[]
  /** Whether the block has a form in which this version of the service cannot prove payments. */
  unsupported?: boolean
  /** Transfers that do not count, because the money left the account in the same transaction. */
  returned: { recipient: string; position: number }[]
}

export type Observed = {
  transfers: ObservedTransfer[]
  transactions: ObservedTransaction[]
  /** Claimed transactions with internal payments that no node can show. Their donations wait. */
  unproven?: string[]
}

/**
 * Stores the contents of verified blocks. Matches claimed transactions with their donations, and
 * other transfers with intents of the paying wallets. The caller holds the lock of the chain's row,
 * and has checked the blocks against its cursor.
 */
export const recordTransfers = async (
  ctx: Context,
  chainId: number,
  observed: Observed,
): Promise<void> => {
  const announced = await upsertTransfers(ctx, chainId, observed.transfers)
  await restoreTransactions(
    ctx,
    chainId,
    observed.transactions.map((transaction) => transaction.txHash),
  )
  await matchDonations(ctx, chainId, observed.transactions)
  await offerToIntents(ctx, chainId, announced)
}

/**
 * Upserts observed transfers. Returns the ids of transfers whose sender has an unpaid intent.
 *
 * - A transfer that is mined again keeps its id and takes the new block.
 * - If the ledger has passed a transfer's block, `booked_number` is lowered to post the transfer.
 * - Internal payments of a transaction are stored once per account: another source may split them.
 * - A payment with source `balance` is the sum of a block. Other internal payments are not stored.
 */
const upsertTransfers = async (
  ctx: Context,
  chainId: number,
  transfers: readonly ObservedTransfer[],
): Promise<string[]> => {
  if (transfers.length === 0) return []
  const now = ctx.clock.now()
  const rows = transfers.map((transfer) => ({
    id: newId(now.getTime()),
    tx_hash: transfer.txHash,
    position: transfer.position,
    source: transfer.source,
    asset_id: transfer.assetId,
    sender: transfer.sender,
    recipient: transfer.recipient,
    amount: transfer.amount.toString(),
    block_number: transfer.blockNumber,
    block_hash: transfer.blockHash,
    mined_at: transfer.minedAt.toISOString(),
  }))
  const announced = await ctx.sql<{ id: string }[]>`
    with stored as (
      insert into chain_transfer
        (id, chain_id, tx_hash, position, asset_id, sender, recipient, amount, source,
         block_number, block_hash, mined_at, seen_at)
      select id, ${chainId}, tx_hash, position, asset_id, sender, recipient, amount, source,
             block_number, block_hash, mined_at, ${now}
      from jsonb_to_recordset(${ctx.sql.json(rows)})
        as row (id uuid, tx_hash text, position int, asset_id text, sender text, recipient text,
                amount numeric, source text, block_number bigint, block_hash text,
                mined_at timestamptz)
      where row.position >= ${NATIVE_POSITION} or not exists (
        select from chain_transfer other
        where other.chain_id = ${chainId} and other.recipient = row.recipient
          and other.block_number = row.block_number and other.block_hash = row.block_hash
          and other.position < ${NATIVE_POSITION}
          and (other.tx_hash = row.tx_hash or 'balance' in (other.source, row.source))
        offset 0)
      on conflict (chain_id, tx_hash, position, recipient) do update
      set asset_id = excluded.asset_id, sender = excluded.sender, recipient = excluded.recipient,
          amount = excluded.amount, source = excluded.source,
          block_number = excluded.block_number, block_hash = excluded.block_hash,
          mined_at = excluded.mined_at
      where chain_transfer.block_hash is distinct from excluded.block_hash
      returning id, sender, block_number
    ), lowered as (
      update chain_state set booked_number = fresh.number - 1
      from (select min(block_number) as number from stored) fresh
      where chain_id = ${chainId} and booked_number >= fresh.number
    )
    select stored.id from stored
    where exists (
      select from donation
      where donation.chain_id = ${chainId} and donation.donor_wallet = stored.sender
        and donation.intent and donation.tx_hash is null
      offset 0)`
  return announced.map((row) => row.id)
}
