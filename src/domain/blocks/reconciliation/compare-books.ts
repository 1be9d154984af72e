import type { Context } from '../../../db/context.ts'
import { withTransaction } from '../../../db/transaction.ts'
import { isOfCampaign } from '../../books/index.ts'
import { lockChainRow } from '../../shared/index.ts'
import { compareEscrows } from './compare-escrows.ts'
import { type FoundDifference, OF_BOOKS } from './difference.ts'
import { settleDifferences } from './settle-differences.ts'

type CustodyRow = { account: string; assetId: string; custody: string; transfers: string }
type RaisedRow = {
  id: string
  account: string
  currencyId: string
  raised: string
  credited: string
  stored: string
}

/** The timeout of each query. A query over a million ledger entries takes some seconds. */
const LONGEST_READ = '30min'

/**
 * Compares these sums in one snapshot:
 * - the custody of each account with the sum of its final transfers in the ledger;
 * - the custody of each escrow with its balance on the chain;
 * - each campaign's raised amount with its completed donations and with its stored total.
 *
 * Opens new differences, resolves differences that are gone, and returns the number of opened ones.
 * Reads without the chain's lock, because each change of a chain's money is one transaction.
 */
export const compareBooks = async (
  ctx: Context,
  chainId: number,
  runId: string | null,
): Promise<number> => {
  const found = await readBooks(ctx, chainId)
  return withTransaction(ctx, async (ctx) => {
    const { cursor } = await lockChainRow(ctx, chainId)
    const position = {
      blockNumber: cursor.number,
      firstBlock: cursor.number,
      blockHash: null,
      txHash: null,
    }
    return settleDifferences(ctx, {
      chainId,
      runId,
      found: found.map((difference) => ({ ...difference, ...position })),
      examined: ({ kind }) => OF_BOOKS.has(kind),
      resolution: 'Recomputed: the difference is gone.',
    })
  })
}

const readBooks = (ctx: Context, chainId: number): Promise<BookDifference[]> =>
  ctx.pool.begin('isolation level repeatable read read only', async (sql) => {
    await sql`select set_config('statement_timeout', ${LONGEST_READ}, true)`
    const snapshot = { ...ctx, sql }
    return [
      ...(await compareCustody(snapshot, chainId)),
      ...(await compareEscrows(snapshot, chainId)),
      ...(await compareRaised(snapshot, chainId)),
    ]
  }) as Promise<BookDifference[]>

type BookDifference = Omit<FoundDifference, 'blockNumber' | 'firstBlock' | 'blockHash' | 'txHash'>

/** Compares sums of accounts, because several campaigns can share one account. */
const compareCustody = async (ctx: Context, chainId: number): Promise<BookDifference[]> => {
  const rows = await ctx.sql<CustodyRow[]>`
    with booked as (
      select transfer.recipient as account, transfer.asset_id, sum(transfer.amount) as units
      from chain_transfer transfer
      join chain_state state on state.chain_id = transfer.chain_id
      where transfer.chain_id = ${chainId} and transfer.block_number is not null
        and ${isOfCampaign(ctx.sql)}
        and (transfer.block_number <= state.booked_number or exists (
          select from ledger_entry entry
          where entry.transfer_id = transfer.id and entry.kind in ('deposit', 'donation')
            and not exists (select from ledger_entry reversal where reversal.reverses = entry.id offset 0)
          offset 0))
      group by transfer.recipient, transfer.asset_id
    ), custody as (
      select campaign.account, ledger.asset_id,
             sum(case when entry.debit_account = ledger.id then entry.amount else -entry.amount end) as units
      from ledger_account ledger
      join campaign on campaign.id = ledger.campaign_id
      join ledger_entry entry
        on entry.debit_account = ledger.id or entry.credit_account = ledger.id
      where ledger.kind = 'custody' and campaign.chain_id = ${chainId}
        and entry.escrow_event_id is null
      group by campaign.account, ledger.asset_id
    )
    select account, asset_id, coalesce(custody.units, 0)::text as custody,
           coalesce(booked.units, 0)::text as transfers
    from custody full join booked using (account, asset_id)
    where coalesce(custody.units, 0) <> coalesce(booked.units, 0)`
  return rows.map((row) => ({
    kind: 'custody',
    campaignId: null,
    account: row.account,
    assetId: row.assetId,
    expected: BigInt(row.custody),
    actual: BigInt(row.transfers),
    note: 'The custody of the account in the ledger differs from the sum of its final transfers.',
  }))
}

const compareRaised = async (ctx: Context, chainId: number): Promise<BookDifference[]> => {
  const rows = await ctx.sql<RaisedRow[]>`
    with credited as (
      select donation.campaign_id,
             sum(donation.credited_amount - coalesce(donation.refunded_amount, 0)) as units
      from donation join campaign on campaign.id = donation.campaign_id
      where campaign.chain_id = ${chainId} and donation.status in ('completed', 'partly_refunded', 'refunded')
      group by donation.campaign_id
    )
    select campaign.id, campaign.account, campaign.currency_id,
           coalesce(ledger.raised, 0)::text as raised,
           coalesce(credited.units, 0)::text as credited,
           coalesce(total.raised, 0)::text as stored
    from campaign
    left join campaign_ledger_total ledger on ledger.campaign_id = campaign.id
    left join campaign_total total on total.campaign_id = campaign.id
    left join credited on credited.campaign_id = campaign.id
    where campaign.chain_id = ${chainId}
      and (coalesce(ledger.raised, 0) <> coalesce(total.raised, 0)
        or coalesce(ledger.raised, 0) <> coalesce(credited.units, 0))`
  return rows.flatMap((row): BookDifference[] => {
    const common = {
      campaignId: row.id,
      account: row.account,
      assetId: row.currencyId,
      expected: BigInt(row.raised),
    }
    return [
      {
        ...common,
        kind: 'current_amount' as const,
        actual: BigInt(row.stored),
        note: "The campaign's current_amount differs from the held and released amount in its ledger.",
      },
      {
        ...common,
        kind: 'credits' as const,
        actual: BigInt(row.credited),
        note: 'The raised amount in the ledger differs from the sum of the completed donations.',
      },
    ].filter((difference) => difference.actual !== difference.expected)
  })
}
