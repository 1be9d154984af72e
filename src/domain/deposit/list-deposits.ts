import type { Part } from '../../db/client.ts'
import { mayActFor } from '../../kernel/actor.ts'
import { parseAddress } from '../../kernel/address.ts'
import { DomainError } from '../../kernel/errors.ts'
import type { Context } from '../context.ts'
import { campaignOfTransfer } from '../ledger/index.ts'
import { decodeCursor, type Page, type PageQuery, toPage } from '../page.ts'
import { type DepositRow, type DepositView, toDepositView } from './deposit-view.ts'
import { depositColumns } from './find-deposit.ts'
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
  await mayList(ctx, campaignId)
  return page(
    ctx,
    query,
    sql`(
      select campaign.id, campaign.chain_id, campaign.account,
             date_trunc('second', campaign.opened) as opened,
             (select date_trunc('second', min(coalesce(later.opened_at, later.created_at)))
              from campaign later
              where later.chain_id = campaign.chain_id and later.account = campaign.account
                and later.status <> 'draft' and not later.never_opened
                and (coalesce(later.opened_at, later.created_at), later.id)
                  > (campaign.opened, campaign.id)) as closed
      from (
        select *, coalesce(opened_at, created_at) as opened from campaign
        where id = ${campaignId} and status <> 'draft' and not never_opened
      ) campaign
    ) paid
    join chain_transfer transfer
      on transfer.chain_id = paid.chain_id and transfer.recipient = paid.account
     and transfer.mined_at >= paid.opened`,
    sql`coalesce(donation.campaign_id = paid.id,
                 paid.closed is null or transfer.mined_at < paid.closed)`,
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

const mayList = async (ctx: Context, campaignId: string): Promise<void> => {
  const [row] = await ctx.sql<{ creator_id: string; status: string }[]>`
    select creator_id, status from campaign where id = ${campaignId}`
  const mine = row !== undefined && mayActFor(ctx.actor, row.creator_id)
  if (!row || (row.status === 'draft' && !mine)) {
    throw new DomainError('not_found', 'There is no such campaign.')
  }
  if (!mine) throw new DomainError('forbidden', 'Only its creator sees the deposits of a campaign.')
}

/** `source` names `transfer` and `paid`, the campaign whose it is where no donation says so. */
const page = async (
  ctx: Context,
  query: PageQuery & Pick<ListDeposits, 'status'>,
  source: Part,
  condition: Part,
): Promise<Page<DepositView>> => {
  const { sql } = ctx
  const after = query.cursor === undefined ? null : decodeCursor(query.cursor)
  const deposits = sql`
    from ${source}
    join chain_state on chain_state.chain_id = transfer.chain_id
    left join donation on donation.transfer_id = transfer.id
    where transfer.block_number is not null and ${condition}
      and (${query.status} = 'all' or (${query.status} = 'claimed') = (donation.id is not null))`
  const [counted] = await sql<{ total: number }[]>`select count(*) as total ${deposits}`
  const rows = await sql<DepositRow[]>`
    select ${depositColumns(ctx)}, coalesce(donation.campaign_id, paid.id) as campaign_id
    ${deposits}
      ${after ? sql`and (transfer.mined_at, transfer.id) < (${after.createdAt}, ${after.id})` : sql``}
    order by transfer.mined_at desc, transfer.id desc
    limit ${query.limit + 1}
    offset ${after ? 0 : (query.page - 1) * query.limit}`
  return toPage(
    rows,
    query,
    counted?.total ?? 0,
    (row) => ({ createdAt: row.mined_at, id: row.id }),
    (row) => toDepositView(ctx, row),
  )
}
