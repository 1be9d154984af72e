import type { Context } from '../../../db/context.ts'
import type { Deposit } from './post-deposits.ts'
import { type Line, postLines } from './post-lines.ts'
import { reverseEntries } from './reverse-credits.ts'

/** A donation in a final block. `credited` is the value of `amount` in the campaign's currency. */
export type Credit = Omit<Deposit, 'amount'> & {
  donationId: string
  amount: bigint
  creatorId: string
  currencyId: string
  credited: bigint
  minedAt: Date
}

/**
 * Posts credits. The unique index `ledger_entry_once` aborts the transaction if a transfer is
 * credited twice in the same generation (number of reversals).
 *
 * - A credit in the campaign's currency debits `custody` and credits `held`.
 * - A credit in another asset debits `custody` and credits `exchange` in this asset, and debits
 *   `exchange` and credits `held` in the campaign's currency.
 * - If the transfer is already posted as a deposit, `unclaimed` is debited instead of `custody`.
 */
export const postCredits = async (ctx: Context, credits: readonly Credit[]): Promise<void> => {
  if (credits.length === 0) return
  const transferIds = credits.map((credit) => credit.transferId)
  const deposited = await depositsOf(ctx, transferIds)
  // Reverses deposits that were posted for another campaign of the same account.
  await reverseEntries(
    ctx,
    credits.flatMap(({ transferId, campaignId }) => {
      const deposit = deposited.get(transferId)
      return deposit && deposit.campaignId !== campaignId ? [deposit.entryId] : []
    }),
  )
  await postLines(
    ctx,
    credits.flatMap((credit) => {
      const booked = deposited.get(credit.transferId)?.campaignId === credit.campaignId
      return linesOf(credit, booked ? 'unclaimed' : 'custody')
    }),
  )
}

/**
 * Reads the deposits of these transfers that are not reversed. `offset 0` makes PostgreSQL look up
 * each reversal by index, even in a large ledger.
 */
const depositsOf = async (
  ctx: Context,
  transferIds: string[],
): Promise<Map<string, { entryId: number; campaignId: string }>> => {
  const rows = await ctx.sql<{ entryId: number; transferId: string; campaignId: string }[]>`
    select entry.id as entry_id, entry.transfer_id, entry.campaign_id
    from ledger_entry entry
    where entry.transfer_id = any(${transferIds}::uuid[]) and entry.kind = 'deposit'
      and not exists (select from ledger_entry reversal where reversal.reverses = entry.id offset 0)`
  return new Map(rows.map((row) => [row.transferId, row]))
}

const linesOf = (credit: Credit, source: 'custody' | 'unclaimed'): Line[] => {
  const { campaignId, donationId, transferId, generation, blockNumber, blockHash } = credit
  const common = { campaignId, donationId, transferId, generation, blockNumber, blockHash }
  const arrived = { kind: 'donation', debitKind: source, assetId: credit.assetId } as const
  const amount = credit.amount.toString()
  if (credit.assetId === credit.currencyId) {
    return [{ ...common, ...arrived, creditKind: 'held', amount }]
  }
  const received: Line = { ...common, ...arrived, creditKind: 'exchange', amount }
  // A transfer that is worth less than the currency's smallest unit credits nothing.
  if (credit.credited === 0n) return [received]
  return [
    received,
    {
      ...common,
      kind: 'conversion',
      debitKind: 'exchange',
      creditKind: 'held',
      assetId: credit.currencyId,
      amount: credit.credited.toString(),
    },
  ]
}
