import type { Context } from '../../../db/context.ts'
import { formatLedgerAccount, toChecksumAddress } from '../../../kernel/formats/address.ts'
import type { Asset } from '../../../kernel/money/assets.ts'
import { type Arrived, moneyOf } from '../../books/index.ts'
import { arrivedOf } from './donation-amounts.ts'
import { paymentMethods } from './payment-methods.ts'
import type { DonationRow } from './rows.ts'

export const PAYMENT_STATES = ['awaiting', 'exact', 'under', 'over', 'other_asset'] as const

export type PaymentView = NonNullable<ReturnType<typeof toPaymentView>>

/** How to pay an intent, and its payment so far. Null for a donation that is not an intent. */
export const toPaymentView = (ctx: Context, row: DonationRow) => {
  if (!row.intent || row.campaignAccount === undefined) return null
  const { assets } = ctx.settings
  const asset = assets.byId(row.declaredAssetId)
  const account = toChecksumAddress(row.campaignAccount)
  const expected = moneyOf(ctx, asset.id, row.declaredAmount)
  const received = row.transferId === null ? null : arrivedOf(row)
  const uri = paymentUri(row.chainId, asset, account, row.declaredAmount)
  const methods = paymentMethods(ctx, row, uri)
  return {
    /** `account` is the campaign's account (EIP-55). `accountId` is the same account as CAIP-10. */
    account,
    accountId: formatLedgerAccount(row.chainId, row.campaignAccount),
    chainId: row.chainId,
    /** The asset to pay, as CAIP-19. */
    asset: asset.id,
    /** The token's contract; null for the chain's own coin. */
    token: asset.address === null ? null : toChecksumAddress(asset.address),
    /** `amount` is the declared amount as decimal text. `units` is this amount in base units. */
    amount: expected.value,
    units: row.declaredAmount,
    currency: asset.symbol,
    /** The payment as an EIP-681 URI, for a link or a QR code. */
    uri,
    /**
     * The ways to pay an escrow; null for a plain campaign. Empty after the payment, or if the
     * intent has failed.
     */
    methods: methods && (received || row.status === 'failed') ? [] : methods,
    /** The transaction hash that the donor attached. It may be wrong. */
    txHash: row.attachedTxHash,
    expiresAt: row.expiresAt,
    expected,
    /** The amount that arrived; null while no block shows a payment. */
    received: received && moneyOf(ctx, ...received),
    state: stateOf(row, received),
    /** Whether the payment came after `expiresAt`. */
    late: row.paidLate,
  }
}

/** An EIP-681 URI: a call of the token's `transfer`, or a payment in the chain's own coin. */
const paymentUri = (chainId: number, asset: Asset, account: string, units: string): string =>
  asset.address === null
    ? `ethereum:${account}@${chainId}?value=${units}`
    : `ethereum:${toChecksumAddress(asset.address)}@${chainId}/transfer?address=${account}&uint256=${units}`

const stateOf = (row: DonationRow, received: Arrived | null): (typeof PAYMENT_STATES)[number] => {
  if (received === null) return 'awaiting'
  const [assetId, units] = received
  if (assetId !== row.declaredAssetId) return 'other_asset'
  const more = BigInt(units) - BigInt(row.declaredAmount)
  if (more === 0n) return 'exact'
  return more > 0n ? 'over' : 'under'
}
