import type { Part } from '../../../db/client.ts'
import type { Context } from '../../../db/context.ts'
import { NATIVE_ASSET } from '../../../kernel/escrow-event.ts'
import type { EscrowState } from '../escrow/escrow-state.ts'
import { recordedDonor } from '../escrow/recorded-donor.ts'
import type { Escrow } from '../escrow/require-escrow.ts'

/** A final transfer that the contract of an escrow did not record. Amounts are in base units. */
export type Unrecorded = {
  id: string
  /** The hash of the transaction that paid. */
  transaction: string
  /** The index of the log in its receipt; negative for a payment in the native coin. */
  position: number
  /** Addresses are in lower case. The native coin is 0x00…00. */
  asset: string
  sender: string
  /** False if `sender` may be only the signer, or the zero address of new tokens. */
  hasPayer: boolean
  amount: string
  /**
   * The amount to pay back, by the formula of docs/escrow.md; null while this asset cannot go back.
   */
  share: string | null
  /** The payment back in a stored block, which may not be final. Its amount is in `asset`. */
  returned: {
    receiver: string
    amount: string
    transaction: string
    state: 'sent' | 'done'
  } | null
}

/** SQL for tables `campaign` and `transfer`: whether the transfer is final and unrecorded. */
export const isUnrecorded = ({ sql }: Context): Part => sql`
  transfer.block_number <= (
    select least(finalized_number, cursor_number) from chain_state
    where chain_state.chain_id = campaign.chain_id)
  and ${recordedDonor(sql)} is null`

/**
 * Reads unrecorded transfers to an escrow, the oldest first, at most `most` of them. `condition` is
 * SQL about `transfer`.
 *
 * A payment in the block of the failure counts as a payment before the failure, because a block's
 * order of transactions is not stored. So its share can be too low, but never takes money from
 * other donors.
 */
export const readUnrecorded = (
  ctx: Context,
  { campaignId }: Pick<Escrow, 'campaignId'>,
  { state, pool, total }: Pick<EscrowState, 'state' | 'pool' | 'total'>,
  condition: Part,
  most: number | null = null,
): Promise<Unrecorded[]> => {
  const { sql } = ctx
  const isOver = state === 'failed' || state === 'done'
  return sql<Unrecorded[]>`
    with event as materialized (
      select * from escrow_event where campaign_id = ${campaignId} and block_number is not null
        and kind in ('Failed', 'TransferReturned')
    )
    select transfer.id, transfer.tx_hash as transaction, transfer.position,
           coalesce(asset.address, ${NATIVE_ASSET}) as asset, transfer.sender, transfer.amount,
           transfer.source <> 'balance' and transfer.sender <> ${NATIVE_ASSET}::bytea as has_payer,
           case when not ${isOver} then null
                when transfer.asset_id <> campaign.currency_id then transfer.amount
                when ${state} <> 'failed' then null
                when transfer.block_number > (select block_number from event where kind = 'Failed')
                  then transfer.amount
                else coalesce(div(transfer.amount * ${pool?.toString() ?? null}::numeric,
                  nullif(${total?.toString() ?? null}::numeric, 0)), 0) end as share,
           case when back.id is not null then jsonb_build_object(
             'receiver', back.fields ->> 'receiver', 'amount', case
               when back.fields ->> 'asset' = coalesce(asset.address, ${NATIVE_ASSET})
               then back.fields ->> 'amount' else '0' end, 'transaction', hex_of(back.tx_hash),
             'state', case when back.settled_at is null then 'sent' else 'done' end)
             end as returned
    from campaign
    join chain_transfer transfer
      on transfer.chain_id = campaign.chain_id and transfer.recipient = campaign.account
    join asset on asset.id = transfer.asset_id
    left join event back on back.kind = 'TransferReturned'
      and bytes_of(back.fields ->> 'transaction') = transfer.tx_hash
      and (back.fields ->> 'position')::bigint = transfer.position
    where campaign.id = ${campaignId} and ${isUnrecorded(ctx)} and ${condition}
    order by transfer.mined_at, transfer.id limit ${most}`
}
