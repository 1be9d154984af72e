import type { Context } from '../../db/context.ts'
import {
  type CampaignView,
  type DonorRefund,
  findAccountRefunds,
} from '../../domain/campaigns/index.ts'
import { NATIVE_ASSET } from '../../kernel/escrow-event.ts'
import { parseAddress } from '../../kernel/formats/address.ts'
import { formatUnits } from '../../kernel/money/money.ts'
import { unlessRefused } from '../../kernel/unless-refused.ts'
import { type ReadyRefund, readyRefundOf } from '../load/ready-refund.ts'

/** A refund of an account, and the transaction that pays it. */
export type ShownRefund = {
  refund: DonorRefund
  /** Null for a recorded donor, and for an asset that the service does not know. */
  amount: { value: string; currency: string } | null
  /** Null if no transaction can be sent now. */
  ready: ReadyRefund | null
}

/** A search for the refunds of an account. */
export type RefundSearch = {
  /** The text of the visitor. */
  account: string
  /** Null if the text is no address. */
  found: ShownRefund[] | null
}

/** Searches the refunds of an account from an escrow that has ended. */
export const searchRefunds = async (
  ctx: Context,
  campaign: CampaignView,
  account: string,
): Promise<RefundSearch> => {
  const found = await unlessRefused(findRefunds(ctx, campaign, account), 'invalid_input')
  return { account, found }
}

const findRefunds = async (ctx: Context, campaign: CampaignView, account: string) => {
  const { escrow, refunds } = await findAccountRefunds(ctx, campaign.id, parseAddress(account))
  const shown = refunds.map(async (refund) => ({
    refund,
    amount: amountOf(ctx, campaign, refund),
    ready: await readyRefundOf(ctx, { campaign, refund: { escrow, ...refund } }),
  }))
  return Promise.all(shown)
}

const amountOf = (
  { settings }: Context,
  { chainId }: CampaignView,
  refund: DonorRefund,
): ShownRefund['amount'] => {
  const asset = settings.assets.all.find(
    (one) => one.chainId === chainId && (one.address ?? NATIVE_ASSET) === refund.asset,
  )
  if (!asset || refund.amount === null) return null
  const { decimals, symbol } = asset
  return { value: formatUnits(BigInt(refund.amount), decimals), currency: symbol }
}
