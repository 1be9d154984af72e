import { mayActFor } from '../../kernel/actor.ts'
import { DomainError } from '../../kernel/errors.ts'
import type { Context } from '../context.ts'
import {
  type Keyset,
  type List,
  MAX_PAGE_SIZE,
  type Page,
  readOn,
  readPage,
  withStatus,
} from '../page.ts'
import { type DonationView, toDonationView } from './donation-view.ts'
import { type DonationRow, selectDonation } from './rows.ts'
import type { ListDonations } from './schemas.ts'

/** By the index `donation_not_completed`. */
const INDEXED = ['failed', 'expired', 'reversed']

/**
 * Donations, newest first. A list by `userId` is for that user and administrators only: it would
 * tell anybody who gave.
 *
 * @throws DomainError `forbidden`, `invalid_cursor`
 */
export const listDonations = async (
  ctx: Context,
  query: ListDonations,
): Promise<Page<DonationView>> => {
  if (query.userId !== undefined && !mayActFor(ctx.actor, query.userId)) {
    throw new DomainError('forbidden', 'You can list only your own donations by userId.')
  }
  return readPage(ctx, query, listOf(ctx, query))
}

/** Some donations of a campaign, newest first, behind a place; and the place to go on from. */
export const readDonations = (
  ctx: Context,
  campaignId: string,
  after: Keyset | undefined,
): Promise<{ items: DonationView[]; next: Keyset | null }> =>
  readOn(ctx, { after, limit: MAX_PAGE_SIZE }, listOf(ctx, { campaignId }))

const listOf = (
  ctx: Context,
  query: Pick<ListDonations, 'campaignId' | 'userId' | 'status'>,
): List<DonationRow, DonationView> => {
  const { sql } = ctx
  return {
    chosen: withStatus(
      sql,
      query.status,
      INDEXED,
      (ofStatus) => sql`
        select id, created_at as at from donation
        where true
          ${query.campaignId ? sql`and campaign_id = ${query.campaignId}` : sql``}
          ${query.userId ? sql`and user_id = ${query.userId}` : sql``}
          ${ofStatus}`,
    ),
    rowsOf: (ids) =>
      sql<DonationRow[]>`${selectDonation(sql)} where donation.id = any(${ids}::uuid[])`,
    toItem: (row) => toDonationView(ctx, row),
  }
}
