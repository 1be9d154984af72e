import type { Part } from '../../db/client.ts'
import { mayActFor } from '../../kernel/actor.ts'
import { parseAddress } from '../../kernel/address.ts'
import { DomainError } from '../../kernel/errors.ts'
import type { Context } from '../context.ts'
import { campaignOfTransfer } from '../ledger/index.ts'
import { type Page, type PageQuery, readPage } from '../page.ts'
import { type DepositView, toDepositView } from './deposit-view.ts'
import { findDeposits } from './find-deposit.ts'
import type { ListDeposits, ListOwnDeposits } from './schemas.ts'

/**
 * What a campaign's account has received since the campaign opened, newest first, for its creator
 * and administrators. From the moment at which another campaign opens on that account, it is that
 * one's.
 *
 * @throws DomainError `not_found`, `forbidden`, `invalid_cursor`
 */
export const listDeposits = async (
  ctx: Context,
  campaignId: string,
  query: ListDeposits,
): Promise<Page<DepositView>> => {
  const { sql } = ctx
  const paid = await openCampaign(ctx, campaignId)
  return page(
    ctx,
    query,
    sql`chain_transfer transfer`,
    sql`transfer.chain_id = ${paid.chain_id} and transfer.recipient = ${paid.account}
      and transfer.mined_at >= ${paid.opened}
      and coalesce(donation.campaign_id = ${campaignId},
                   ${paid.closed}::timestamptz is null or transfer.mined_at < ${paid.closed})`,
  )
}

/**
 * What the caller's linked wallets have sent to campaigns, newest first: by default what nobody has
 * recorded.
 *
 * @throws DomainError `unauthenticated`, `forbidden` for a wallet that is not linked,
 * `invalid_input`, `invalid_cursor`
 */
export const listOwnDeposits = async (
  ctx: Context,
  query: ListOwnDeposits,
): Promise<Page<DepositView>> => {
  const { actor, sql } = ctx
  if (actor.kind !== 'user') throw new DomainError('unauthenticated', 'Sign in first.')
  const address = query.wallet === undefined ? null : parseAddress(query.wallet)
  if (address !== null) {
    const [linked] = await sql`
      select from wallet where user_id = ${actor.userId} and address = ${address}`
    if (!linked) throw new DomainError('forbidden', 'Link this wallet first.')
  }
  return page(
    ctx,
    query,
    sql`wallet
    join chain_transfer transfer on transfer.sender = wallet.address
     and (wallet.method = 'ecdsa' or wallet.chain_id = transfer.chain_id)
     and transfer.chain_id = any(${ctx.settings.assets.chainIds as number[]}::bigint[])
    left join lateral (${campaignOfTransfer(sql)}) paid on true`,
    sql`wallet.user_id = ${actor.userId}
      and (${address}::text is null or wallet.address = ${address})
      and coalesce(donation.campaign_id, paid.id) is not null`,
  )
}

type Opened = {
  creator_id: string
  status: string
  chain_id: number
  account: string
  /** Null where it has not opened. */
  opened: Date | null
  /** When the next campaign opened on its account. */
  closed: Date | null
}

const openCampaign = async ({ sql, actor }: Context, campaignId: string): Promise<Opened> => {
  const [row] = await sql<Opened[]>`
    select creator_id, status, chain_id, account, date_trunc('second', opened) as opened, (
      select date_trunc('second', min(coalesce(later.opened_at, later.created_at)))
      from campaign later
      where later.chain_id = campaign.chain_id and later.account = campaign.account
        and later.status <> 'draft' and not later.never_opened
        and (coalesce(later.opened_at, later.created_at), later.id)
          > (campaign.opened, campaign.id)
    ) as closed
    from (
      select *, case when status <> 'draft' and not never_opened
                     then coalesce(opened_at, created_at) end as opened
      from campaign where id = ${campaignId}
    ) campaign`
  const mine = row !== undefined && mayActFor(actor, row.creator_id)
  if (!row || (row.status === 'draft' && !mine)) {
    throw new DomainError('not_found', 'There is no such campaign.')
  }
  if (!mine) throw new DomainError('forbidden', 'Only its creator sees the deposits of a campaign.')
  return row
}

/** `source` names `transfer`; `condition` may also name its `donation`. */
const page = (
  ctx: Context,
  query: PageQuery & Pick<ListDeposits, 'status'>,
  source: Part,
  condition: Part,
): Promise<Page<DepositView>> => {
  const { sql } = ctx
  const { status } = query
  return readPage(ctx, query, {
    chosen: sql`
      select transfer.id, transfer.mined_at as at
      from ${source}
      left join donation on donation.transfer_id = transfer.id
      where transfer.block_number is not null and ${condition}
        ${status === 'all' ? sql`` : sql`and (donation.id is not null) = ${status === 'claimed'}`}`,
    rowsOf: (ids) => findDeposits(ctx, ids),
    toItem: (row) => toDepositView(ctx, row),
  })
}
