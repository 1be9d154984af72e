import { toChecksumAddress } from '../../kernel/address.ts'
import { logPositionOf } from '../../kernel/log-position.ts'
import { formatUnits } from '../../kernel/money.ts'
import type { Context } from '../context.ts'

/** A transfer to a campaign's account, with the donation that has it. */
export type DepositRow = {
  id: string
  campaign_id: string
  chain_id: number
  tx_hash: string
  position: number
  asset_id: string
  sender: string
  recipient: string
  amount: string
  block_number: number
  block_hash: string
  mined_at: Date
  donation_id: string | null
  final: boolean
  before_campaign: boolean
}

export type DepositView = {
  id: string
  campaignId: string
  chainId: number
  txHash: string
  /** Of the log within its receipt, the transaction's own value, or a payment by a call within it. */
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
  /** Whether no reorganisation is expected to take it back. */
  final: boolean
  /** The donation that has it. */
  claimedBy: string | null
  /** It came before the campaign opened, so it is in custody and no donation can have it. */
  beforeCampaign: boolean
}

export const toDepositView = (ctx: Context, row: DepositRow): DepositView => {
  const asset = ctx.settings.assets.byId(row.asset_id)
  return {
    id: row.id,
    campaignId: row.campaign_id,
    chainId: row.chain_id,
    txHash: row.tx_hash,
    logPosition: logPositionOf(row.position),
    sender: toChecksumAddress(row.sender),
    account: toChecksumAddress(row.recipient),
    amount: { value: formatUnits(BigInt(row.amount), asset.decimals), currency: asset.symbol },
    asset: row.asset_id,
    blockNumber: row.block_number,
    minedAt: row.mined_at,
    final: row.final,
    claimedBy: row.donation_id,
    beforeCampaign: row.before_campaign,
  }
}
