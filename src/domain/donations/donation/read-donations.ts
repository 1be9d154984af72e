import type { Context } from '../../../db/context.ts'
import { mayActFor } from '../../../kernel/actor.ts'
import { DomainError } from '../../../kernel/errors.ts'
import {
  type Keyset,
  type List,
  MAX_PAGE_SIZE,
  type Page,
  readOn,
  readPage,
  withStatus,
} from '../../shared/index.ts'
import { opensDonation } from './claim-token.ts'
import { type DonationView, toDonationView } from './donation-view.ts'
import { prepareToken } from './prepare-payment.ts'
import { type DonationRow, requireDonation, selectDonation } from './rows.ts'
import type { ListDonations } from './schemas.ts'

/** The statuses that the index `donation_not_completed` covers. */
const INDEXED = ['failed', 'expired', 'reversed', 'partly_refunded', 'refunded']

/** The statuses of donations that the index `donation_paid` covers. */
const HELD = ['completed', 'partly_refunded', 'refunded', 'reversed']

/**
 * Reads one donation. The view names the donor only if the caller may see the donor. A guest sees
 * name and message of the own donation with the token of its claim link.
 *
 * @throws DomainError `not_found` if there is no donation with this id
 */
export const getDonation = async (
  ctx: Context,
  id: string,
  claimToken?: string,
): Promise<DonationView> => {
  const [row, isOpened] = await Promise.all([
    requireDonation(ctx, id),
    claimToken !== undefined && opensDonation(ctx, id, claimToken),
  ])
  const { intent, chainId, escrowTerms: terms } = row
  if (intent && terms) await prepareToken(ctx, { chainId, terms })
  return toDonationView(ctx, row, { isDonor: isOpened && row.userId === null })
}

/**
 * Lists donations, newest first: those whose payment a block holds or held, or those of a status or
 * a user. Only administrators and the donor may filter by `userId`, because this filter reveals who
 * the donor is.
 *
 * @throws DomainError `forbidden` for another user's id, `invalid_cursor` for an unreadable cursor
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

/**
 * Reads a page of a campaign's donations whose payment a block holds, or held before a reorg,
 * newest first. `next` is null on the last page.
 */
export const readDonations = (
  ctx: Context,
  campaignId: string,
  { after, limit = MAX_PAGE_SIZE }: { after?: Keyset | undefined; limit?: number },
): Promise<{ items: DonationView[]; next: Keyset | null }> =>
  readOn(ctx, { after, limit }, listOf(ctx, { campaignId }))

/**
 * Whether an intent of another donor names the same wallet as this intent, and is open or was paid
 * after this intent was recorded.
 */
export const hasRival = async ({ sql }: Context, id: string): Promise<boolean> => {
  const rivals = await sql`
    select from donation own
    cross join lateral ((select * from donation
      where chain_id = own.chain_id and donor_wallet = own.donor_wallet
        and intent and tx_hash is null and status = 'pending' offset 0)
      union all
      select donation.* from (select id, mined_at from chain_transfer
        where chain_id = own.chain_id and sender = own.donor_wallet offset 0) paid
      join donation on donation.transfer_id = paid.id and paid.mined_at > own.created_at) other
    where own.id = ${id} and other.campaign_id = own.campaign_id and other.id <> own.id
      and not coalesce(other.user_id = own.user_id, false)
    limit 1`
  return rivals.length > 0
}

const listOf = (
  ctx: Context,
  { campaignId, userId, status }: Pick<ListDonations, 'campaignId' | 'userId' | 'status'>,
): List<DonationRow, DonationView> => {
  const { sql } = ctx
  const isHeld = status ? status.every((one) => HELD.includes(one)) : userId === undefined
  const held = sql`and (transfer_id is not null or status = 'reversed')`
  // Each half of a campaign's donations has an index of its own.
  const rest = sql`and transfer_id is null and status <> 'reversed'`
  const halves = isHeld ? [held] : campaignId ? [held, rest] : [sql``]
  return {
    chosen: halves.flatMap((half) =>
      withStatus(
        sql,
        status,
        INDEXED,
        (ofStatus) => sql`
        select id, created_at as at from donation
        where true
          ${campaignId ? sql`and campaign_id = ${campaignId}` : sql``}
          ${userId ? sql`and user_id = ${userId}` : sql``}
          ${half}
          ${ofStatus}`,
      ),
    ),
    rowsOf: (ids) =>
      sql<DonationRow[]>`${selectDonation(sql)} where donation.id = any(${ids}::uuid[])`,
    toItem: (row) => toDonationView(ctx, row),
  }
}
