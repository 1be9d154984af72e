import type { Context } from '../../../db/context.ts'
import type { LedgerEntry } from '../../../db/schema/ledger.ts'
import type { LedgerAccountKind } from '../../../kernel/statuses.ts'

/** An entry to post: `amount` leaves the credit account and enters the debit account. */
export type Line = Pick<LedgerEntry, 'kind' | 'assetId' | 'amount' | 'campaignId'> &
  Partial<Pick<LedgerEntry, 'donationId' | 'transferId' | 'milestoneId' | 'escrowEventId'>> & {
    debitKind: LedgerAccountKind
    creditKind: LedgerAccountKind
    generation: number
    blockNumber: number
    blockHash: string
  }

/**
 * Posts lines in their order, and creates missing ledger accounts. The index `ledger_entry_once`
 * refuses a second line of the same kind, transfer and generation (number of reversals). The index
 * `ledger_entry_escrow_once` does the same for lines of an escrow's event.
 */
export const postLines = async (ctx: Context, lines: readonly Line[]): Promise<void> => {
  if (lines.length === 0) return
  await openAccounts(ctx, lines)
  await ctx.sql`
    insert into ledger_entry
      (kind, debit_account, credit_account, asset_id, amount, campaign_id, donation_id,
       transfer_id, milestone_id, escrow_event_id, generation, block_number, block_hash, created_at)
    select line.kind, debit.id, credit.id, line.asset_id, line.amount, line.campaign_id,
           line.donation_id, line.transfer_id, line.milestone_id, line.escrow_event_id,
           line.generation, line.block_number, bytes_of(line.block_hash), ${ctx.clock.now()}
    from rows from (jsonb_to_recordset(${ctx.sql.json(lines as Line[])})
      as (kind text, "debitKind" text, "creditKind" text, "assetId" text, amount numeric,
          "campaignId" uuid, "donationId" uuid, "transferId" uuid, "milestoneId" uuid,
          "escrowEventId" uuid, generation int, "blockNumber" bigint, "blockHash" text))
      with ordinality
      as line (kind, debit_kind, credit_kind, asset_id, amount, campaign_id, donation_id,
               transfer_id, milestone_id, escrow_event_id, generation, block_number, block_hash,
               position)
    join ledger_account debit
      on debit.campaign_id = line.campaign_id and debit.kind = line.debit_kind
     and debit.asset_id = line.asset_id
    join ledger_account credit
      on credit.campaign_id = line.campaign_id and credit.kind = line.credit_kind
     and credit.asset_id = line.asset_id
    order by line.position`
}

const openAccounts = async (ctx: Context, lines: readonly Line[]): Promise<void> => {
  const accounts = new Map<string, { kind: string; campaignId: string; assetId: string }>()
  for (const { campaignId, assetId, debitKind, creditKind } of lines) {
    for (const kind of [debitKind, creditKind]) {
      accounts.set(`${campaignId}/${kind}/${assetId}`, { kind, campaignId, assetId })
    }
  }
  // The rows are sorted, so that two transactions that create the same accounts cannot deadlock.
  const rows = [...accounts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, account]) => account)
  await ctx.sql`
    insert into ledger_account (kind, campaign_id, asset_id)
    select kind, "campaignId", "assetId"
    from jsonb_to_recordset(${ctx.sql.json(rows)})
      as row (kind text, "campaignId" uuid, "assetId" text)
    where not exists (
      select from ledger_account known
      where known.campaign_id = row."campaignId" and known.kind = row.kind
        and known.asset_id = row."assetId")
    on conflict do nothing`
}
