import type { Context } from '../context.ts'

/** One final donation: what arrived, and what it counts for in the campaign's currency. */
export type Credit = {
  donationId: string
  campaignId: string
  creatorId: string
  transferId: string
  /** How often a credit of this transfer was taken back before. */
  generation: number
  assetId: string
  amount: bigint
  currencyId: string
  credited: bigint
  blockNumber: number
  blockHash: string
  minedAt: Date
}

type AccountKind = 'custody' | 'exchange' | 'held'
type Line = {
  kind: 'donation' | 'conversion'
  debit_kind: AccountKind
  credit_kind: AccountKind
  asset_id: string
  amount: string
  campaign_id: string
  donation_id: string
  transfer_id: string
  generation: number
  block_number: number
  block_hash: string
}

/**
 * Posts credits, each transfer at most once for each of its generations: a second credit runs into
 * `ledger_entry_once` and takes its whole transaction down.
 *
 * In the campaign's own currency: custody to held. In another asset: custody to exchange in what
 * arrived, exchange to held in the currency, so that every asset's entries sum to zero.
 */
export const postCredits = async (ctx: Context, credits: readonly Credit[]): Promise<void> => {
  const lines = credits.flatMap(linesOf)
  if (lines.length === 0) return
  await openAccounts(ctx, lines)
  await ctx.sql`
    insert into ledger_entry
      (kind, debit_account, credit_account, asset_id, amount, campaign_id, donation_id,
       transfer_id, generation, block_number, block_hash, created_at)
    select line.kind, debit.id, credit.id, line.asset_id, line.amount, line.campaign_id,
           line.donation_id, line.transfer_id, line.generation, line.block_number,
           line.block_hash, ${ctx.clock.now()}
    from rows from (jsonb_to_recordset(${ctx.sql.json(lines)})
      as (kind text, debit_kind text, credit_kind text, asset_id text, amount numeric,
          campaign_id uuid, donation_id uuid, transfer_id uuid, generation int,
          block_number bigint, block_hash text)) with ordinality
      as line (kind, debit_kind, credit_kind, asset_id, amount, campaign_id, donation_id,
               transfer_id, generation, block_number, block_hash, position)
    join ledger_account debit
      on debit.campaign_id = line.campaign_id and debit.kind = line.debit_kind
     and debit.asset_id = line.asset_id
    join ledger_account credit
      on credit.campaign_id = line.campaign_id and credit.kind = line.credit_kind
     and credit.asset_id = line.asset_id
    order by line.position`
}

const linesOf = (credit: Credit): Line[] => {
  const common = {
    campaign_id: credit.campaignId,
    donation_id: credit.donationId,
    transfer_id: credit.transferId,
    generation: credit.generation,
    block_number: credit.blockNumber,
    block_hash: credit.blockHash,
  }
  const arrived = { kind: 'donation', debit_kind: 'custody', asset_id: credit.assetId } as const
  const amount = credit.amount.toString()
  if (credit.assetId === credit.currencyId) {
    return [{ ...common, ...arrived, credit_kind: 'held', amount }]
  }
  const received: Line = { ...common, ...arrived, credit_kind: 'exchange', amount }
  // A transfer worth less than the currency's smallest unit counts for nothing, yet it arrived.
  if (credit.credited === 0n) return [received]
  return [
    received,
    {
      ...common,
      kind: 'conversion',
      debit_kind: 'exchange',
      credit_kind: 'held',
      asset_id: credit.currencyId,
      amount: credit.credited.toString(),
    },
  ]
}

const openAccounts = async (ctx: Context, lines: readonly Line[]): Promise<void> => {
  const accounts = new Map<string, { kind: string; campaign_id: string; asset_id: string }>()
  for (const { campaign_id, asset_id, debit_kind, credit_kind } of lines) {
    for (const kind of [debit_kind, credit_kind]) {
      accounts.set(`${campaign_id}/${kind}/${asset_id}`, { kind, campaign_id, asset_id })
    }
  }
  // Always in one order, so that two chains that open accounts never wait for each other in a circle.
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
