import { isAdmin } from '../../kernel/actor.ts'
import { DomainError } from '../../kernel/errors.ts'
import { formatUnits } from '../../kernel/money.ts'
import type { Context } from '../context.ts'
import { type Page, readPage } from '../page.ts'
import type { DifferenceKind } from './difference.ts'
import type { ListDifferences } from './schemas.ts'

/** A difference, open or resolved. `expected` is by the ledger. */
export type DifferenceView = {
  id: string
  kind: DifferenceKind
  chainId: number
  campaignId: string | null
  account: string
  asset: string
  symbol: string
  blockNumber: number
  blockHash: string | null
  txHash: string | null
  expected: string
  actual: string
  note: string
  openedAt: Date
  resolvedAt: Date | null
  resolution: string | null
}

type Row = {
  id: string
  kind: DifferenceKind
  chainId: number
  campaignId: string | null
  account: string
  assetId: string
  blockNumber: number
  blockHash: string | null
  txHash: string | null
  expected: string
  actual: string
  note: string
  openedAt: Date
  resolvedAt: Date | null
  resolution: string | null
}

/**
 * Differences, newest first: all of them for administrators, those of their own campaigns and of
 * their accounts for creators.
 *
 * @throws DomainError `unauthenticated`, `invalid_cursor`
 */
export const listDifferences = async (
  ctx: Context,
  query: ListDifferences,
): Promise<Page<DifferenceView>> => {
  const { sql, actor } = ctx
  if (actor.kind === 'anonymous') throw new DomainError('unauthenticated', 'Sign in first.')
  const creatorId = actor.kind === 'user' && !isAdmin(actor) ? actor.userId : undefined
  const { status, campaignId } = query
  const concerns = sql`
    exists (
      select from campaign
      where (campaign.id = difference.campaign_id
          or (difference.campaign_id is null and campaign.chain_id = difference.chain_id
            and campaign.account = difference.account))
        ${creatorId ? sql`and campaign.creator_id = ${creatorId}` : sql``}
        ${campaignId ? sql`and campaign.id = ${campaignId}` : sql``})`
  const chosen = sql`
    select id, opened_at as at from ledger_difference difference
    where true
      ${status === 'all' ? sql`` : sql`and (resolved_at is null) = ${status === 'open'}`}
      ${creatorId || campaignId ? sql`and ${concerns}` : sql``}`
  return readPage(ctx, query, {
    chosen,
    rowsOf: (ids) => sql<Row[]>`select * from ledger_difference where id = any(${ids}::uuid[])`,
    toItem: (row) => toView(ctx, row),
  })
}

const toView = (ctx: Context, row: Row): DifferenceView => {
  const asset = ctx.settings.assets.byId(row.assetId)
  return {
    id: row.id,
    kind: row.kind,
    chainId: row.chainId,
    campaignId: row.campaignId,
    account: row.account,
    asset: asset.id,
    symbol: asset.symbol,
    blockNumber: row.blockNumber,
    blockHash: row.blockHash,
    txHash: row.txHash,
    expected: formatUnits(BigInt(row.expected), asset.decimals),
    actual: formatUnits(BigInt(row.actual), asset.decimals),
    note: row.note,
    openedAt: row.openedAt,
    resolvedAt: row.resolvedAt,
    resolution: row.resolution,
  }
}
