import type { Context } from '../../../db/context.ts'
import { onCommit } from '../../../db/transaction.ts'
import { campaignOfTransfer, type Deposit, postDeposits } from '../../books/index.ts'

/** One read returns at most this many transfers, plus all other transfers of the last block. */
const BOOK_BATCH = 5_000

type Unbooked = Deposit & { counts: boolean }
type Row = { reached: number } & ({ transferId: null } | Unbooked)

/**
 * Posts final transfers without a credited donation to the ledger as deposits: no donation has
 * claimed the transfer, or its price is missing. The caller holds the chain's lock and has settled
 * all due donations.
 *
 * @param bookedNumber the ledger has all final transfers up to this block number
 * @returns the number of posted deposits, and the new `bookedNumber`
 */
export const bookDeposits = async (
  ctx: Context,
  chainId: number,
  bookedNumber: number,
  finalNumber: number,
): Promise<{ booked: number; bookedNumber: number }> => {
  if (finalNumber <= bookedNumber) return { booked: 0, bookedNumber }
  const rows = await findUnbooked(ctx, chainId, bookedNumber, finalNumber)
  const reached = rows[0]?.reached ?? finalNumber
  const deposits = rows.filter((row) => row.transferId !== null)
  await postDeposits(ctx, deposits)
  const counting = deposits.filter((row) => row.counts).map((row) => row.transferId)
  await announceLater(ctx, counting)
  onCommit(ctx, () => {
    ctx.metrics.count('fundproof_deposits_booked_total', { chain: chainId }, deposits.length)
  })
  await ctx.sql`update chain_state set booked_number = ${reached} where chain_id = ${chainId}`
  return { booked: deposits.length, bookedNumber: reached }
}

/**
 * Reads transfers that are not in the ledger yet. Without such transfers, returns one row whose
 * `transferId` is null. `offset 0` makes PostgreSQL use an index.
 */
const findUnbooked = (
  ctx: Context,
  chainId: number,
  bookedNumber: number,
  finalNumber: number,
): Promise<Row[]> => ctx.sql<Row[]>`
  with transfer as materialized (
    select * from chain_transfer
    where chain_id = ${chainId}
      and block_number > ${bookedNumber} and block_number <= ${finalNumber}
    order by block_number
    fetch first ${BOOK_BATCH} rows with ties
  ), reached as (
    select case when count(*) < ${BOOK_BATCH} then ${finalNumber}::bigint
                else max(block_number) end as number
    from transfer
  )
  select reached.number as reached, unbooked.*
  from reached
  left join (
    select transfer.id as transfer_id, coalesce(donation.campaign_id, paid.id) as campaign_id,
           donation.id is not null or paid.counts as counts, transfer.generation,
           transfer.asset_id, transfer.amount, transfer.block_number, transfer.block_hash
    from transfer
    left join donation on donation.transfer_id = transfer.id
    left join lateral (${campaignOfTransfer(ctx.sql)}) paid on true
    where not exists (
        select from standing_entry entry
        where entry.transfer_id = transfer.id and entry.kind in ('deposit', 'donation')
        offset 0)
      and coalesce(donation.campaign_id, paid.id) is not null
    order by transfer.block_number, transfer.id
  ) unbooked on true`

/**
 * Plans a notification of the creator after a waiting time, because the payer may still record the
 * donation. The caller omits transfers from before the campaign's opening, which may be many.
 */
const announceLater = async (ctx: Context, transferIds: string[]): Promise<void> => {
  if (transferIds.length === 0) return
  const at = new Date(ctx.clock.now().getTime() + ctx.settings.depositGraceMs)
  await ctx.sql`
    update chain_transfer set announce_at = ${at} where id = any(${transferIds}::uuid[])`
}
