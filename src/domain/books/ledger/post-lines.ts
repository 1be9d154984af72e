import type { Context } from '../../../db/context.ts'
import type { LedgerAccountKind, LedgerEntryKind } from '../../../kernel/statuses.ts'

/** An entry to post: `amount` leaves the credit account and enters the debit account. */
export type Line = {
  kind: LedgerEntryKind
  debit_kind: LedgerAccountKind
  credit_kind: LedgerAccountKind
  asset_id: string
  amount: string
  campaign_id: string
  donation_id: string | null
  transfer_id: string | null
  milestone_id?: string | null
  /** The event of an escrow because of which money moved on the chain. */
  escrow_event_id?: string
  generation: number
  block_number: number
  block_hash: string
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
           line.generation, line.block_number, line.block_hash, ${ctx.clock.now()}
    from rows from (jsonb_to_recordset(${ctx.sql.json(lines as Line[])})
      as (kind text, debit_kind text, credit_kind text, asset_id text, amount numeric,
          campaign_id uuid, donation_id uuid, transfer_id uuid, milestone_id uuid,
          escrow_event_id uuid, generation int, block_number bigint, block_hash text))
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
  const accounts = new Map<string, { kind: string; campaign_id: string; asset_id: string }>()
  for (const { campaign_id, asset_id, debit_kind, credit_kind } of lines) {
    for (const kind of [debit_kind, credit_kind]) {
      accounts.set(`${campaign_id}/${kind}/${asset_id}`, { kind, campaign_id, asset_id })
    }
  }
  // The rows are sorted, so that two transactions that create the same accounts cannot deadlock.
  const rows = [...accounts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, account]) => account)
  await ctx.sql`
    insert into ledger_account (kind, campaign_id, asset_id)
    select kind, campaign_id, asset_id
    from jsonb_to_recordset(${ctx.sql.json(rows)})
      as row (kind text, campaign_id uuid, asset_id text)
    where not exists (
      select from ledger_account known
      where known.campaign_id = row.campaign_id and known.kind = row.kind
        and known.asset_id = row.asset_id)
    on conflict do nothing`
}
