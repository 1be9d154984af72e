import { NATIVE_ASSET } from '../../../kernel/escrow-event.ts'
import type { Context } from '../../context.ts'
import type { Escrow } from '../require-escrow.ts'
import type { Donated, Failure, Payment } from './rule.ts'

/** What a root needs to know about an escrow up to a block. */
export type EscrowBooks = { payments: Payment[]; donated: Donated[]; failure: Failure | null }

/** The row of a payment or an event. Its index in the block is not stored. */
type Placed = { blockNumber: number; txHash: string; log: number }

/**
 * Reads the stored payments, recorded donations and failure of an escrow up to a block. All
 * `transaction` indexes are 0.
 */
export const readBooks = async (
  { sql, settings }: Context,
  { chainId, account, campaignId }: Pick<Escrow, 'chainId' | 'account' | 'campaignId'>,
  blockNumber: number,
): Promise<EscrowBooks> => {
  const payments = await sql<(Placed & { assetId: string; sender: string; amount: string })[]>`
    select block_number, tx_hash, position as log, asset_id, sender, amount
    from chain_transfer
    where chain_id = ${chainId} and recipient = ${account} and block_number <= ${blockNumber}`
  const events = await sql<(Placed & { kind: string; fields: Record<string, string> })[]>`
    select block_number, tx_hash, position as log, kind, fields
    from escrow_event
    where campaign_id = ${campaignId} and kind in ('Donated', 'Failed')
      and block_number <= ${blockNumber}`
  const placed = ({ blockNumber, txHash, log }: Placed) => ({
    ...{ blockNumber, txHash, log },
    transaction: 0,
  })
  const failed = events.find(({ kind }) => kind === 'Failed')
  return {
    payments: payments.map((row) => ({
      ...placed(row),
      asset: settings.assets.byId(row.assetId).address ?? NATIVE_ASSET,
      sender: row.sender,
      amount: BigInt(row.amount),
    })),
    donated: events
      .filter(({ kind }) => kind === 'Donated')
      .map((row) => ({
        ...placed(row),
        payer: row.fields.payer ?? '',
        amount: BigInt(row.fields.amount ?? 0),
      })),
    failure: failed
      ? {
          ...placed(failed),
          pool: BigInt(failed.fields.pool ?? 0),
          total: BigInt(failed.fields.total ?? 0),
        }
      : null,
  }
}
