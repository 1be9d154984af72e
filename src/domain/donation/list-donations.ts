import { mayActFor } from '../../kernel/actor.ts'
import { DomainError } from '../../kernel/errors.ts'
import type { Context } from '../context.ts'
import { decodeCursor, type Page, toPage } from '../page.ts'
import { type DonationView, toDonationView } from './donation-view.ts'
import { type DonationRow, selectDonation } from './rows.ts'
import type { ListDonations } from './schemas.ts'

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
  const { sql } = ctx
  if (query.userId !== undefined && !mayActFor(ctx.actor, query.userId)) {
    throw new DomainError('forbidden', 'You can list only your own donations by userId.')
  }
  const filter = sql`
    (${query.campaignId ?? null}::uuid is null or donation.campaign_id = ${query.campaignId ?? null})
    and (${query.userId ?? null}::uuid is null or donation.user_id = ${query.userId ?? null})
    and (${query.status ?? null}::text is null or donation.status = ${query.status ?? null})`
  const after = query.cursor === undefined ? null : decodeCursor(query.cursor)
  const [counted] = await sql<{ total: number }[]>`
    select count(*) as total from donation where ${filter}`
  const rows = await sql<DonationRow[]>`
    ${selectDonation(sql)}
    where ${filter}
      ${after ? sql`and (donation.created_at, donation.id) < (${after.createdAt}, ${after.id})` : sql``}
    order by donation.created_at desc, donation.id desc
    limit ${query.limit + 1}
    offset ${after ? 0 : (query.page - 1) * query.limit}`
  return toPage(
    rows,
    query,
    counted?.total ?? 0,
    (row) => ({ createdAt: row.created_at, id: row.id }),
    (row) => toDonationView(ctx, row),
  )
}
