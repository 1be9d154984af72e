import { toChecksumAddress } from '../../kernel/address.ts'
import { logPositionOf } from '../../kernel/log-position.ts'
import { formatUnits } from '../../kernel/money.ts'
import type { Context } from '../context.ts'

/** A transfer to a campaign's account, with its donation if there is one. */
export type DepositRow = {
  id: string
  campaignId: string
  chainId: number
  txHash: string
  position: number
  assetId: string
  sender: string
  recipient: string
  amount: string
  blockNumber: number
  blockHash: string
  minedAt: Date
  donationId: string | null
  final: boolean
  beforeCampaign: boolean
}

export type DepositView = {
  id: string
  campaignId: string
  chainId: number
  txHash: string
  /** The log's index within its receipt, the transaction's own value, or an internal payment. */
  logPosition: number | 'native' | 'internal'
  /** EIP-55. */
  sender: string
  /** The campaign's account, EIP-55. */
  account: string
  amount: { value: string; currency: string }
  /** CAIP-19. */
  asset: string
  blockNumber: number
  minedAt: Date
  /** Whether the transfer is final, so that no reorg is expected to revert it. */
  final: boolean
  /** The donation of this transfer. */
  claimedBy: string | null
  /** It came before the campaign opened, so it is in custody and cannot become a donation. */
  beforeCampaign: boolean
}

export const toDepositView = (ctx: Context, row: DepositRow): DepositView => {
  const asset = ctx.settings.assets.byId(row.assetId)
  return {
    id: row.id,
    campaignId: row.campaignId,
    chainId: row.chainId,
    txHash: row.txHash,
    logPosition: logPositionOf(row.position),
    sender: toChecksumAddress(row.sender),
    account: toChecksumAddress(row.recipient),
    amount: { value: formatUnits(BigInt(row.amount), asset.decimals), currency: asset.symbol },
    asset: row.assetId,
    blockNumber: row.blockNumber,
    minedAt: row.minedAt,
    final: row.final,
    claimedBy: row.donationId,
    beforeCampaign: row.beforeCampaign,
  }
}
