import type { Context } from '../../db/context.ts'
import type { CampaignView } from '../../domain/campaigns/index.ts'
import type { PaymentView } from '../../domain/donations/index.ts'
import { toChecksumAddress } from '../../kernel/formats/address.ts'
import type { Asset } from '../../kernel/money/assets.ts'
import { asBaseUnits, convertUnits, formatUnits } from '../../kernel/money/money.ts'
import type { PayableAsset, WalletChain } from '../shared/payment.ts'

type Priced = { currency: string; chainId: number; escrow?: object | undefined }

/** The assets that a campaign accepts, its own currency first. An escrow accepts only this one. */
export const payableAssets = ({ settings }: Context, campaign: Priced): PayableAsset[] => {
  const { assets } = settings
  const currency = assets.bySymbol(campaign.currency, campaign.chainId)
  return assets
    .accepted(campaign.chainId)
    .filter(
      (asset) => asset.id === currency.id || (!campaign.escrow && assets.route(asset, currency)),
    )
    .toSorted((a, b) => Number(b.id === currency.id) - Number(a.id === currency.id))
    .map(toPayable)
}

const toPayable = ({ symbol, decimals, address }: Asset): PayableAsset => ({
  symbol,
  decimals,
  token: address === null ? null : toChecksumAddress(address),
})

/** One whole unit of an asset in the campaign's currency, by a configured price, or null. */
export const rateOf = ({ settings, clock }: Context, symbol: string, campaign: Priced) => {
  const { assets } = settings
  const from = assets.bySymbol(symbol, campaign.chainId)
  const to = assets.bySymbol(campaign.currency, campaign.chainId)
  const price = from.id === to.id ? undefined : assets.fixedRate(from, to, clock.now())
  if (!price) return null
  const one = asBaseUnits(10n ** BigInt(from.decimals))
  return formatUnits(convertUnits(one, from.decimals, price, to.decimals), to.decimals)
}

/** The public data of a campaign's chain, for a wallet. */
export const walletChain = (
  { settings }: Context,
  { chainId }: Pick<CampaignView, 'chainId'>,
): WalletChain => {
  const chain = settings.chains.find(({ id }) => id === chainId)
  const coin = settings.assets.all.find((one) => one.chainId === chainId && one.kind === 'native')
  return {
    id: chainId,
    name: chain?.name ?? String(chainId),
    rpc: chain?.rpc ?? [],
    explorer: chain?.explorer ?? null,
    native: { symbol: coin?.symbol ?? 'ETH', decimals: coin?.decimals ?? 18 },
  }
}

/**
 * The methods that pages offer; null without an escrow. An escrow does not record the donor of a
 * plain transfer, so pages never offer one. An empty list means that nothing can be paid.
 */
export const offeredMethods = ({ methods }: Pick<PaymentView, 'methods'>) =>
  methods?.filter((one) => one.method !== 'transfer') ?? null
