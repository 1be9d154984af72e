import type { Context } from '../../../db/context.ts'
import type { MinedTransfer } from '../../../db/schema/chains.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { toChecksumAddress } from '../../../kernel/formats/address.ts'
import { logPositionOf } from '../../../kernel/formats/log-position.ts'
import { campaignOfTransfer, moneyOf } from '../../books/index.ts'

/** A transfer to a campaign's account, with the id of its donation if a donation has claimed it. */
export type DepositRow = MinedTransfer & {
  campaignId: string
  donationId: string | null
  final: boolean
  /** Whether the transfer came before the campaign's opening and so cannot become a donation. */
  beforeCampaign: boolean
}

export type DepositView = ReturnType<typeof toDepositView>

/**
 * Reads transfers in canonical blocks, each with the campaign of its donation. Without a donation,
 * the transfer belongs to the campaign that had the account at the time of the block.
 */
export const findDeposits = ({ sql }: Context, ids: string[]) => sql<DepositRow[]>`
  select transfer.*, donation.id as donation_id,
         transfer.block_number <= least(chain_state.finalized_number, chain_state.cursor_number)
           as final,
         coalesce(donation.campaign_id, paid.id) as campaign_id,
         donation.id is null and not paid.counts as before_campaign
  from chain_transfer transfer
  join chain_state on chain_state.chain_id = transfer.chain_id + 0
  left join donation on donation.transfer_id = transfer.id
  left join lateral (${campaignOfTransfer(sql)}) paid on true
  where transfer.id = any(${ids}::uuid[]) and transfer.block_number is not null
    and coalesce(donation.campaign_id, paid.id) is not null`

/**
 * Reads a deposit that can become a donation.
 *
 * @throws DomainError `not_found` if unknown, `transfer_before_campaign` if older than the opening
 */
export const requireDeposit = async (ctx: Context, id: string): Promise<DepositRow> => {
  const [deposit] = await findDeposits(ctx, [id])
  if (!deposit) throw new DomainError('not_found', 'There is no such deposit.')
  if (!deposit.beforeCampaign) return deposit
  throw new DomainError(
    'transfer_before_campaign',
    'This transfer came before the campaign opened, so it is not a donation to it.',
  )
}

/** The view of a deposit. Addresses have an EIP-55 checksum. */
export const toDepositView = (ctx: Context, row: DepositRow) => ({
  id: row.id,
  campaignId: row.campaignId,
  chainId: row.chainId,
  txHash: row.txHash,
  /** The index of the transfer's log, `native` for the transaction's value, or `internal`. */
  logPosition: logPositionOf(row.position),
  sender: toChecksumAddress(row.sender),
  account: toChecksumAddress(row.recipient),
  amount: moneyOf(ctx, row.assetId, row.amount),
  /** The transferred asset, as CAIP-19. */
  asset: row.assetId,
  blockNumber: row.blockNumber,
  minedAt: row.minedAt,
  final: row.final,
  /** The id of the donation that has claimed this transfer; null without such a donation. */
  claimedBy: row.donationId,
  beforeCampaign: row.beforeCampaign,
})
