import type { Context } from '../../../db/context.ts'
import { isAdmin } from '../../../kernel/actor.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { formatUnits } from '../../../kernel/money/money.ts'
import { type Page, readPage } from '../../shared/index.ts'
import type { DifferenceRow } from './difference.ts'
import type { ListDifferences } from './schemas.ts'

/** An open or resolved difference. The amounts `expected` and `actual` are decimal texts. */
export type DifferenceView = Omit<DifferenceRow, 'assetId' | 'firstBlock' | 'runId'> & {
  asset: string
  symbol: string
}

/**
 * Lists differences, newest first. Administrators get all differences. Creators get the differences
 * of their own campaigns and accounts.
 *
 * @throws DomainError `unauthenticated` without a sign-in; `invalid_cursor` if the cursor is not
 *   from this list
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
    rowsOf: (ids) =>
      sql<DifferenceRow[]>`select * from ledger_difference where id = any(${ids}::uuid[])`,
    toItem: (row) => toView(ctx, row),
  })
}

const toView = (
  ctx: Context,
  { assetId, firstBlock: _, runId: __, ...row }: DifferenceRow,
): DifferenceView => {
  const asset = ctx.settings.assets.byId(assetId)
  const amount = (units: string) => formatUnits(BigInt(units), asset.decimals)
  return {
    ...row,
    asset: asset.id,
    symbol: asset.symbol,
    expected: amount(row.expected),
    actual: amount(row.actual),
  }
}
