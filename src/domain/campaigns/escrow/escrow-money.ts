import type { Queryable } from '../../../db/client.ts'
import type { Context } from '../../../db/context.ts'
import type { Campaign } from '../../../db/schema/campaigns.ts'
import type { Escrow } from './require-escrow.ts'

/** A final block up to which the books of a campaign are complete, and its time if it is stored. */
export type BookedBlock = { block: number; minedAt: Date | null }

/** The event kinds that pay money of an escrow out. */
const RELEASES = ['MilestoneReleased', 'SurplusReleased']
const REFUNDS = ['Refunded', 'TransferReturned']

/**
 * SQL: the newest block up to which all transfers and escrow events of a campaign are booked; null
 * for a chain that is not followed. An event that waits to be settled holds the block below it.
 */
const bookedNumber = (sql: Queryable, campaignId: string, chainId: number) => sql`
  (select least(finalized_number, cursor_number, booked_number, (
     select min(block_number) - 1 from escrow_event waiting
     where waiting.chain_id = ${chainId} and waiting.campaign_id = ${campaignId}
       and waiting.settled_at is null and waiting.counts))
   from chain_state where chain_id = ${chainId})`

/** Reads the block of all figures of a campaign. Null if the chain is not followed yet. */
export const readBookedBlock = async (
  { sql }: Context,
  { id, chainId }: Pick<Campaign, 'id' | 'chainId'>,
): Promise<BookedBlock | null> => {
  const [row] = await sql<{ block: number | null; minedAt: Date | null }[]>`
    select booked.number as block, stored.mined_at
    from (select ${bookedNumber(sql, id, chainId)} as number) booked
    left join chain_block stored on stored.chain_id = ${chainId} and stored.number = booked.number`
  return row && row.block !== null ? { ...row, block: row.block } : null
}

/** The money of an escrow after one block, in base units. What came in is the sum of the three. */
export type EscrowMoney = {
  /** Null before the chain is followed. Then all sums are 0. */
  block: number | null
  released: bigint
  refunded: bigint
  held: bigint
}

/**
 * Reads the money of an escrow by one statement, so that its parts belong to one block: the balance
 * that the reconciliation last read, with all transfers since and without all payments since. A
 * balance without a hash is of a block that a reorg removed.
 */
export const readEscrowMoney = async (
  { sql }: Context,
  { campaignId, chainId, account, currencyId, terms }: Escrow,
): Promise<EscrowMoney> => {
  const [row] = await sql<
    { block: number | null; released: string; refunded: string; held: string }[]
  >`
    with booked as (
      select ${bookedNumber(sql, campaignId, chainId)} as number
    ), known as (
      select balance, block_number from account_balance
      where chain_id = ${chainId} and account = ${account} and asset_id = ${currencyId}
        and block_number <= (select number from booked) and block_hash <> ''
      union all select 0, -1
      order by block_number desc limit 1
    ), paid as (
      select kind, block_number, (fields ->> 'amount')::numeric as amount
      from escrow_event, booked
      where campaign_id = ${campaignId} and settled_at is not null
        and kind = any(${[...RELEASES, ...REFUNDS]}) and fields ->> 'asset' = ${terms.asset}
        and block_number <= booked.number
    )
    select booked.number as block,
           (select coalesce(sum(amount), 0) from paid where kind = any(${RELEASES}))::text as released,
           (select coalesce(sum(amount), 0) from paid where kind = any(${REFUNDS}))::text as refunded,
           (known.balance + coalesce((
              select sum(amount) from chain_transfer
              where chain_id = ${chainId} and recipient = ${account} and asset_id = ${currencyId}
                and block_number > known.block_number and block_number <= booked.number), 0)
            - coalesce((
              select sum(amount) from paid where block_number > known.block_number), 0))::text as held
    from booked, known`
  return {
    block: row?.block ?? null,
    released: BigInt(row?.released ?? 0),
    refunded: BigInt(row?.refunded ?? 0),
    held: BigInt(row?.held ?? 0),
  }
}
