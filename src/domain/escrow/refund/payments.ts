import { NATIVE_ASSET } from '../../../kernel/escrow-event.ts'
import { NATIVE_POSITION } from '../../../kernel/formats/log-position.ts'
import type { Context } from '../../context.ts'
import type { Escrow } from '../require-escrow.ts'
import { type Donated, type End, endOf, type Failure, type Payment } from './rule.ts'

/** What a root needs to know about an escrow up to a block. */
export type EscrowBooks = {
  payments: Payment[]
  donated: Donated[]
  failure: Failure | null
  end: End | null
}

/** The row of a payment or an event. Its index in the block is not stored. */
type Placed = End & { txHash: string; log: number }

/**
 * Reads the stored payments, recorded donations and the end of an escrow up to a block. All
 * `transaction` indexes are 0. Leaves out payments by calls in the native coin, because most chains
 * write no logs of them (EIP-7708).
 */
export const readBooks = async (
  { sql, settings }: Context,
  { chainId, account, campaignId, terms }: Escrow,
  blockNumber: number,
): Promise<EscrowBooks> => {
  const payments = await sql<(Placed & { assetId: string; sender: string; amount: string })[]>`
    select block_number, block_hash, tx_hash, position as log, asset_id, sender, amount
    from chain_transfer
    where chain_id = ${chainId} and recipient = ${account} and block_number <= ${blockNumber}
      and position >= ${NATIVE_POSITION}`
  const events = await sql<(Placed & { kind: string; fields: Record<string, string> })[]>`
    select block_number, block_hash, tx_hash, position as log, kind, fields
    from escrow_event
    where campaign_id = ${campaignId} and kind in ('Donated', 'MilestoneReleased', 'Failed')
      and block_number <= ${blockNumber}`
  const placed = ({ blockNumber, blockHash, txHash, log }: Placed) => ({
    ...{ blockNumber, blockHash, txHash, log },
    transaction: 0,
  })
  const releases = events.filter(({ kind }) => kind === 'MilestoneReleased')
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
    end: endOf(releases, terms.milestones.length, failed ?? null),
  }
}
