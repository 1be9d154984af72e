import type { Context } from '../../db/context.ts'
import type { CampaignView } from '../../domain/campaigns/index.ts'
import { type DonationView, hasRival, type PaymentView } from '../../domain/donations/index.ts'
import { toChecksumAddress } from '../../kernel/formats/address.ts'
import type { Asset } from '../../kernel/money/assets.ts'
import { asBaseUnits, convertUnits, formatUnits } from '../../kernel/money/money.ts'
import type { DonateProps } from '../components/payment-panel.tsx'
import type { Visit } from '../page.ts'
import type { PaymentInstructionsProps } from '../parts/payment-instructions.tsx'
import { warningOf } from '../parts/warning.ts'
import { shorten } from '../shared/format.ts'
import type { Language } from '../shared/languages.ts'
import type { Intent, PayableAsset, WalletChain } from '../shared/payment.ts'
import { donateTexts } from '../texts/donate/index.ts'
import { isOpen } from './campaign.ts'
import type { KeptDonation } from './donation-cookie.ts'
import { payLinks, walletLinks } from './wallet-links.ts'

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

/**
 * The data of `PaymentInstructions` for a visitor of a donation's page; null for a donation that
 * waits for no payment, or whose campaign takes none. The page needs the script `donate`.
 */
export const instructionsOf = async (
  { ctx, lang, caller }: Pick<Visit, 'ctx' | 'lang' | 'caller'>,
  { donation, campaign }: { donation: DonationView; campaign: CampaignView },
  kept: KeptDonation | undefined,
): Promise<PaymentInstructionsProps | null> => {
  const { payment, id, userId, confirmation } = donation
  const waits = confirmation?.reason === 'waiting_for_payment' || donation.status === 'expired'
  if (!payment || payment.received !== null || !waits || !isOpen(campaign)) return null
  if (offeredMethods(payment)?.length === 0) return null
  const wallet = kept?.wallet ?? payerOf(payment)
  const intent = wallet !== undefined && toIntent(donation, wallet)
  return {
    lang,
    donationId: id,
    payment,
    apps: payLinks(payment),
    network: walletChain(ctx, campaign).name,
    wallet: kept?.wallet,
    isContested: await hasRival(ctx, id),
    island: intent ? islandOf({ ctx, lang, campaign }, intent) : null,
    mayChange: kept?.claimToken !== undefined || (caller !== null && caller.userId === userId),
  }
}

/**
 * The wallet that pays to an escrow, which the calls for it name. By it, the page also works in the
 * browser of a wallet app, which has no cookie of the donor.
 */
const payerOf = ({ methods }: PaymentView): string | undefined =>
  methods?.find((one) => one.method === 'calls')?.sendCalls.from

type Asked = {
  ctx: Context
  lang: Language
  campaign: Pick<CampaignView, 'slug' | 'currency' | 'chainId' | 'ledgerAccount'> & {
    escrow?: object
  }
}

/** The data of the payment panel. `intent` is null on the page that records it. */
export const islandOf = ({ ctx, lang, campaign }: Asked, intent: Intent | null): DonateProps => {
  const chain = walletChain(ctx, campaign)
  const action = `/c/${campaign.slug}/donate`
  const page = new URL(intent ? `/d/${intent.id}` : action, ctx.settings.publicUrl)
  const texts = donateTexts[lang].panel({
    network: chain.name,
    networkId: String(chain.id),
    coin: chain.native.symbol,
    account: shorten(campaign.ledgerAccount),
  })
  return {
    lang,
    texts: campaign.escrow ? ofEscrow(texts, lang, intent) : texts,
    chain,
    assets: payableAssets(ctx, campaign),
    action,
    intent,
    walletLinks: campaign.escrow ? walletLinks(page) : null,
    audit: warningOf(campaign.escrow, lang),
  }
}

/** The texts of the panel where a wallet is asked several times. The page lists its requests. */
const ofEscrow = (
  texts: DonateProps['texts'],
  lang: Language,
  intent: Intent | null,
): DonateProps['texts'] => {
  const { next, confirmHint, rejected } = donateTexts[lang].escrow
  const { button, problems } = texts
  return {
    ...texts,
    confirmHint,
    button: intent === null ? { ...button, pay: next } : button,
    problems: { ...problems, rejected },
  }
}

/** The intent as the browser needs it to pay; null if the donation is not an intent. */
export const toIntent = ({ id, payment }: DonationView, wallet: string): Intent | null => {
  if (payment === null) return null
  const { account, token, units, amount, currency } = payment
  const methods = offeredMethods(payment)
  return { id, wallet, account, token, units, amount, currency, methods }
}
