import type { Context } from '../../../db/context.ts'
import type { LedgerEntry } from '../../../db/schema/ledger.ts'
import { DomainError } from '../../../kernel/errors.ts'
import type { LedgerAccountKind } from '../../../kernel/statuses.ts'
import type { Page, PageQuery } from '../../shared/index.ts'
import { moneyOf } from '../total/money-of.ts'

type Row = Pick<
  LedgerEntry,
  | 'id'
  | 'kind'
  | 'amount'
  | 'donationId'
  | 'milestoneId'
  | 'blockNumber'
  | 'blockHash'
  | 'reverses'
  | 'createdAt'
> & {
  debit: LedgerAccountKind
  credit: LedgerAccountKind
  /** The asset's id as CAIP-19, or a text such as `iso4217:USD` for a fiat currency. */
  asset: string
  /** The transaction that moved the money; null for a release without an escrow. */
  txHash: string | null
}

/** A ledger entry: `amount` leaves the credit account and enters the debit account. */
export type LedgerEntryView = Omit<Row, 'amount'> & { amount: { value: string; currency: string } }

/**
 * Lists a campaign's entries, newest first. The caller has checked that the campaign is visible.
 *
 * @throws DomainError `invalid_cursor` if the cursor does not come from this list
 */
export const listEntries = async (
  ctx: Context,
  campaignId: string,
  query: PageQuery,
): Promise<Page<LedgerEntryView>> => {
  const { sql } = ctx
  const before = query.cursor === undefined ? null : decodeEntryCursor(query.cursor)
  const [counted] = await sql<{ total: number }[]>`
    select count(*) as total from ledger_entry where campaign_id = ${campaignId}`
  const rows = await sql<Row[]>`
    select entry.id, entry.kind, debit.kind as debit, credit.kind as credit, entry.amount,
           entry.asset_id as asset, entry.donation_id, entry.milestone_id,
           coalesce(event.tx_hash, transfer.tx_hash) as tx_hash,
           entry.block_number, entry.block_hash, entry.reverses, entry.created_at
    from ledger_entry entry
    join ledger_account debit on debit.id = entry.debit_account
    join ledger_account credit on credit.id = entry.credit_account
    left join chain_transfer transfer on transfer.id = entry.transfer_id
    left join escrow_event event on event.id = entry.escrow_event_id
    where entry.campaign_id = ${campaignId}
      ${before === null ? sql`` : sql`and entry.id < ${before}`}
    order by entry.id desc
    limit ${query.limit + 1}
    offset ${before === null ? (query.page - 1) * query.limit : 0}`
  const total = counted?.total ?? 0
  const last = rows.length > query.limit ? rows[query.limit - 1] : undefined
  return {
    items: rows.slice(0, query.limit).map((row) => toView(ctx, row)),
    page: query.page,
    limit: query.limit,
    total,
    pages: Math.ceil(total / query.limit),
    nextCursor: last ? encodeEntryCursor(last.id) : null,
  }
}

const encodeEntryCursor = (id: number): string => Buffer.from(`entry ${id}`).toString('base64url')

const decodeEntryCursor = (cursor: string): number => {
  const text = Buffer.from(cursor, 'base64url').toString('utf8')
  const id = Number(/^entry (\d{1,16})$/.exec(text)?.[1])
  if (Number.isSafeInteger(id)) return id
  throw new DomainError('invalid_cursor', 'The cursor does not come from this service.')
}

const toView = (ctx: Context, row: Row): LedgerEntryView => ({
  ...row,
  amount: moneyOf(ctx, row.asset, row.amount),
})
