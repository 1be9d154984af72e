import type { Context } from '../../../db/context.ts'
import type { ChainTransfer } from '../../../db/schema/chains.ts'
import { newId } from '../../../kernel/formats/ids.ts'
import { NATIVE_POSITION } from '../../../kernel/formats/log-position.ts'
import { offerToIntents } from '../../donations/index.ts'
import { type ObservedEscrowEvent, recordEscrowEvents } from '../follow-escrow/record-events.ts'
import { matchDonations } from '../match/match-donations.ts'
import { restoreTransactions } from '../match/replace-transaction.ts'

/** A transfer to a campaign's account in a canonical block. */
export type ObservedTransfer = Pick<
  ChainTransfer,
  'txHash' | 'position' | 'assetId' | 'sender' | 'recipient'
> & {
  /** What shows the transfer. Only `log` and `value` are proven by the block's Merkle roots. */
  source: 'log' | 'value' | 'trace' | 'balance'
  /** The part of the transfer that the recipient still had at the end of the transaction. */
  amount: bigint
  blockNumber: number
  blockHash: string
  minedAt: Date
}

/** A claimed transaction in a block. `Observed.transfers` has the transfers that count. */
type ObservedTransaction = {
  txHash: string
  blockNumber: number
  blockHash: string
  minedAt: Date
  reverted: boolean
  /** Accounts that the transaction paid in tokens unknown to this deployment. */
  unknownTokenRecipients: string[]
  /** True if this version of the service cannot prove payments in blocks of this form. */
  unsupported?: boolean
  /** Transfers that do not count, because the transaction also took the money away again. */
  returned: { recipient: string; position: number }[]
}

export type Observed = {
  transfers: ObservedTransfer[]
  transactions: ObservedTransaction[]
  /** Events that escrows of campaigns emitted, from proven receipts. */
  escrowEvents?: ObservedEscrowEvent[]
  /** Hashes of claimed transactions whose internal payments no node shows. Their donations wait. */
  unproven?: string[]
}

/**
 * Stores the contents of verified blocks. Matches claimed transactions with donations, and other
 * transfers with intents of the sending wallets. The caller must hold the lock on the chain's row,
 * and must have checked that the blocks fit the cursor.
 */
export const recordTransfers = async (
  ctx: Context,
  chainId: number,
  observed: Observed,
): Promise<void> => {
  const announced = await upsertTransfers(ctx, chainId, observed.transfers)
  await recordEscrowEvents(ctx, chainId, observed.escrowEvents ?? [])
  const mined = observed.transactions.map((transaction) => transaction.txHash)
  await restoreTransactions(ctx, chainId, mined)
  await matchDonations(ctx, chainId, observed.transactions)
  await offerToIntents(ctx, chainId, announced)
}

/**
 * Upserts observed transfers. Returns the ids of transfers whose sender has an unpaid intent.
 *
 * - A transfer that is mined again keeps its id and gets the new block.
 * - Lowers `booked_number` below the block of each transfer, so that settling posts the transfer.
 * - Stores the internal payments of a transaction to an account from one source, never from two.
 * - A payment with source `balance` is the sum of an account's internal payments in a block. So the
 *   account gets no other internal payments in this block.
 */
const upsertTransfers = async (
  ctx: Context,
  chainId: number,
  transfers: readonly ObservedTransfer[],
): Promise<string[]> => {
  if (transfers.length === 0) return []
  const now = ctx.clock.now()
  const rows = transfers.map((transfer) => ({
    ...transfer,
    id: newId(now.getTime()),
    amount: transfer.amount.toString(),
  }))
  const announced = await ctx.sql<{ id: string }[]>`
    with stored as (
      insert into chain_transfer
        (id, chain_id, tx_hash, position, asset_id, sender, recipient, amount, source,
         block_number, block_hash, mined_at, seen_at)
      select id, ${chainId}, tx_hash, position, "assetId", sender, recipient, amount, source,
             "blockNumber", block_hash, "minedAt", ${now}
      from (
        select id, bytes_of("txHash") as tx_hash, position, "assetId", bytes_of(sender) as sender,
               bytes_of(recipient) as recipient, amount, source, "blockNumber",
               bytes_of("blockHash") as block_hash, "minedAt"
        from jsonb_to_recordset(${ctx.sql.json(rows)})
          as given (id uuid, "txHash" text, position int, "assetId" text, sender text,
                    recipient text,
                    amount numeric, source text, "blockNumber" bigint, "blockHash" text,
                    "minedAt" timestamptz)) row
      where row.position >= ${NATIVE_POSITION} or not exists (
        select from chain_transfer other
        where other.chain_id = ${chainId} and other.recipient = row.recipient
          and other.block_number = row."blockNumber" and other.block_hash = row.block_hash
          and other.position < ${NATIVE_POSITION}
          and (other.tx_hash = row.tx_hash or 'balance' in (other.source, row.source))
        offset 0)
      on conflict (transfer_key(chain_id, tx_hash, position, recipient)) do update
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
