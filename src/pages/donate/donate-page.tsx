import type { Context } from '../../domain/context.ts'
import type { DonateProps } from '../components/payment/donate-props.ts'
import { type PageAnswer, show } from '../page.ts'
import { shorten } from '../shared/format.ts'
import type { Gift } from '../shared/gift.ts'
import type { Language } from '../shared/languages.ts'
import { DonateView, inputAmount, isOpen, type PaidCampaign, type Typed } from './donate-view.tsx'
import { payableAssets, rateOf, walletChain } from './payable.ts'
import type { Refused } from './refusals.ts'
import { donateTexts } from './texts/index.ts'

type Asked = { ctx: Context; lang: Language; campaign: PaidCampaign }

/** Whether an escrow still records donors. Null for a campaign without an escrow. */
export const isRecording = (
  { clock }: Pick<Context, 'clock'>,
  { escrow }: Pick<PaidCampaign, 'escrow'>,
): boolean | null => (escrow ? clock.now() < escrow.deadline : null)

/** The data of the payment panel. `gift` is an intent that is already recorded. */
export const islandOf = ({ ctx, lang, campaign }: Asked, gift: Gift | null): DonateProps => {
  const chain = walletChain(ctx, campaign)
  return {
    lang,
    texts: donateTexts[lang].panel({
      network: chain.name,
      networkId: String(chain.id),
      coin: chain.native.symbol,
      account: shorten(campaign.ledgerAccount),
    }),
    chain,
    assets: payableAssets(ctx, campaign),
    action: `/c/${campaign.slug}/donate`,
    gift,
    hasPhone: gift === null,
    road: isRecording(ctx, campaign) ? 'on_chain' : null,
  }
}

/** Shows the page on which a visitor gives, with what was typed before. */
export const showDonate = (
  asked: Asked,
  query: URLSearchParams,
  refused: Refused | null,
): PageAnswer => {
  const { ctx, lang, campaign } = asked
  const island = islandOf(asked, null)
  const { assets } = island
  return show({
    title: donateTexts[lang].title(campaign.title),
    canonical: `/c/${campaign.slug}/donate`,
    ...(refused && { status: refused.status }),
    scripts: isOpen(campaign) ? ['page', 'donate'] : ['page'],
    body: (
      <DonateView
        lang={lang}
        campaign={campaign}
        island={island}
        typed={typedOf(lang, query, assets)}
        rates={Object.fromEntries(
          assets.map(({ symbol }) => [symbol, rateOf(ctx, symbol, campaign)]),
        )}
        isRecordingOver={isRecording(ctx, campaign) === false}
        refused={refused}
      />
    ),
  })
}

/** A link gives the amount as decimal text. A refused form gives back what was typed. */
const typedOf = (lang: Language, query: URLSearchParams, assets: DonateProps['assets']): Typed => {
  const amount = query.get('amount') ?? ''
  const wished = query.get('currency')
  const isDecimal = /^\d+(\.\d+)?$/.test(amount)
  return {
    amount: isDecimal ? inputAmount(lang, amount) : amount,
    currency: (assets.find(({ symbol }) => symbol === wished) ?? assets[0])?.symbol ?? '',
    name: query.get('name') ?? '',
    message: query.get('message') ?? '',
    wallet: query.get('wallet') ?? '',
  }
}
