import type { Context } from '../../../db/context.ts'
import { CHAIN_BEHIND_MS } from '../../../kernel/ports/clock.ts'
import { isEscrowedAsset } from '../../books/index.ts'
import { hashOf } from '../donation/claim-token.ts'
import { type DepositView, findDeposits, toDepositView } from './find-deposits.ts'

/** A page offers at most this many payments at once. */
const MAX_OFFERED = 5

/**
 * Lists the payments without a donation that the donor of a donation may make a donation: for an
 * unpaid intent the payments of the attached transaction, and for a paid donation the further
 * payments of its wallet since then. The list is empty in these cases:
 * - the caller is not the donor; an administrator is not, either
 * - the campaign takes no donations
 * - the wallet has also paid for another donor, as the wallet of an exchange does
 *
 * The list gives no right to a payment. As for any hash, `donate` gives an unclaimed payment to the
 * first person who records it, and the sending wallet can take it back.
 */
export const listOfferedPayments = async (
  ctx: Context,
  { id, campaignId }: { id: string; campaignId: string },
  claimToken?: string,
): Promise<DepositView[]> => {
  const { sql, actor, clock } = ctx
  const userId = actor.kind === 'user' ? actor.userId : null
  const tokenHash = claimToken === undefined ? null : hashOf(claimToken)
  const found = await sql<{ id: string }[]>`
    select transfer.id
    from donation own
    join campaign on campaign.id = own.campaign_id and campaign.status in ('active', 'funded')
    left join chain_transfer paid on paid.id = own.transfer_id
    cross join lateral (
      select * from chain_transfer
      where chain_id + 0 = own.chain_id and tx_hash = own.attached_tx_hash
        and own.transfer_id is null and own.status in ('pending', 'expired')
      union all
      select * from chain_transfer
      where chain_id = own.chain_id and sender = paid.sender
        and mined_at >= date_trunc('second',
          least(paid.mined_at, own.created_at - ${CHAIN_BEHIND_MS} * interval '1 ms'))
        and not exists (
          select from (select * from chain_transfer
            where chain_id = own.chain_id and sender = paid.sender offset 0) sent
          join donation other on other.transfer_id = sent.id
          where other.id <> own.id and not coalesce(other.user_id = own.user_id, false))
      offset 0) transfer
    where own.id = ${id}
      and (own.user_id = ${userId}::uuid or own.user_id is null and exists (
        select from claim_link where donation_id = own.id and token_hash = ${tokenHash}
          and expires_at > ${clock.now()}))
      and transfer.recipient = campaign.account and transfer.block_number is not null
      and ${isEscrowedAsset(sql)}
      and not exists (
        select from (select * from donation
          where chain_id + 0 = transfer.chain_id and tx_hash = transfer.tx_hash offset 0) claim
        where claim.campaign_id = own.campaign_id and claim.status <> 'failed'
          and (claim.transfer_id = transfer.id or claim.transfer_id is null
            and coalesce(claim.claimed_position, transfer.position) = transfer.position))
    order by transfer.mined_at, transfer.id
    limit ${MAX_OFFERED}`
  if (found.length === 0) return []
  const ids = found.map((row) => row.id)
  const rows = await findDeposits(ctx, ids)
  return rows
    .filter((row) => row.campaignId === campaignId && !row.beforeCampaign)
    .toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
    .map((row) => toDepositView(ctx, row))
}
