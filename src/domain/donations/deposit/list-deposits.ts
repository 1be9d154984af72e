import type { Part } from '../../../db/client.ts'
import type { Context } from '../../../db/context.ts'
import type { Campaign } from '../../../db/schema/campaigns.ts'
import { DomainError, inField } from '../../../kernel/errors.ts'
import { parseAddress } from '../../../kernel/formats/address.ts'
import { campaignOfTransfer, hasOpened, isOfCampaign } from '../../books/index.ts'
import { ofCreator } from '../../campaigns/index.ts'
import { type Page, type PageQuery, readPage, requireUser } from '../../shared/index.ts'
import { type DepositView, findDeposits, toDepositView } from './find-deposits.ts'
import type { ListDeposits, ListOwnDeposits } from './schemas.ts'

/**
 * Lists the transfers to a campaign's account, newest first, for its creator and administrators. If
 * several campaigns used the account, a transfer belongs to the last campaign that opened before
 * the transfer. The first campaign also has all earlier transfers.
 *
 * @throws DomainError `not_found` for an unknown campaign, `forbidden` for other callers,
 *   `invalid_cursor` for an unreadable cursor
 */
export const listDeposits = async (
  ctx: Context,
  campaignId: string,
  query: ListDeposits,
): Promise<Page<DepositView>> => {
  const { sql } = ctx
  const paid = await openCampaign(ctx, campaignId)
  const { chainId, account, isOnly } = paid
  return page(ctx, query, {
    source: sql`chain_transfer transfer`,
    condition: sql`transfer.chain_id = (select ${chainId}::bigint)
      and transfer.recipient = ${account} and ${paid.hasOpened}`,
    ...(isOnly
      ? {}
      : {
          claim: sql`coalesce(donation.campaign_id,
            (select paid.id from (${campaignOfTransfer(sql)}) paid)) = ${campaignId}`,
        }),
  })
}

/**
 * Lists transfers from the caller's linked wallets to campaigns, newest first. By default, lists
 * only transfers without a donation.
 *
 * @throws DomainError `unauthenticated` for an anonymous caller, `invalid_input` for an invalid
 *   wallet, `forbidden` for a wallet that is not linked, `invalid_cursor` for an unreadable cursor
 */
export const listOwnDeposits = async (
  ctx: Context,
  query: ListOwnDeposits,
): Promise<Page<DepositView>> => {
  const { sql } = ctx
  const { userId } = requireUser(ctx)
  const { wallet } = query
  const address = wallet === undefined ? null : inField('wallet', () => parseAddress(wallet))
  if (address !== null) {
    const linked = await sql`
      select from wallet where user_id = ${userId} and address = ${address}`
    if (linked.length === 0) throw new DomainError('forbidden', 'Link this wallet first.')
  }
  return page(ctx, query, {
    source: sql`wallet
    join chain_transfer transfer on transfer.sender = wallet.address
     and holds_on(wallet, transfer.chain_id)
     and transfer.chain_id = any(${ctx.settings.assets.chainIds as number[]}::bigint[])`,
    condition: sql`wallet.user_id = ${userId}
      and (${address}::bytea is null or wallet.address = ${address})
      and ${isOfCampaign(sql)}`,
  })
}

type Opened = Pick<Campaign, 'creatorId' | 'status' | 'chainId' | 'account'> & {
  hasOpened: boolean
  /** Whether no other campaign has opened on the account. */
  isOnly: boolean
}

const openCampaign = async (ctx: Context, campaignId: string): Promise<Opened> => {
  const { sql } = ctx
  const [row] = await sql<Opened[]>`
    select asked.creator_id, asked.status, asked.chain_id, asked.account,
           coalesce(bool_or(campaign.id = asked.id), false) as has_opened,
           count(campaign.id) = 1 as is_only
    from campaign asked
    left join campaign on campaign.chain_id = asked.chain_id
      and campaign.account = asked.account and ${hasOpened(sql)}
    where asked.id = ${campaignId} group by asked.id`
  return ofCreator(ctx, row, 'Only the creator sees the deposits of a campaign.')
}

/** SQL parts of the query in `page`. `claim` is a condition on the table `donation`. */
type Chosen = { source: Part; condition: Part; claim?: Part }

/** Reads a page of transfers. Joins their donations only if a condition needs the donations. */
const page = (
  ctx: Context,
  query: PageQuery & Pick<ListDeposits, 'status'>,
  { source, condition, claim }: Chosen,
): Promise<Page<DepositView>> => {
  const { sql } = ctx
  const { status } = query
  const joins = status !== 'all' || claim !== undefined
  return readPage(ctx, query, {
    chosen: sql`
      select transfer.id, transfer.mined_at as at
      from ${source}
      ${joins ? sql`left join donation on donation.transfer_id = transfer.id` : sql``}
      where transfer.block_number is not null and ${condition}
        ${claim ? sql`and ${claim}` : sql``}
        ${status === 'all' ? sql`` : sql`and (donation.id is not null) = ${status === 'claimed'}`}`,
    rowsOf: (ids) => findDeposits(ctx, ids),
    toItem: (row) => toDepositView(ctx, row),
  })
}
