import type { Context } from '../../db/context.ts'
import type { DonateProps } from '../components/payment/donate-props.ts'
import { isOpen, takesPayments } from '../load/campaign.ts'
import { islandOf } from '../load/instructions.ts'
import { rateOf } from '../load/payable.ts'
import { type PageAnswer, show } from '../page.ts'
import type { Language } from '../shared/languages.ts'
import { retypeAmount } from '../shared/typed-amount.ts'
import { donateTexts } from '../texts/donate/index.ts'
import { DonateView, type PaidCampaign, type Typed } from './donate-view.tsx'
import type { Refused } from './refusals.ts'

type Asked = { ctx: Context; lang: Language; campaign: PaidCampaign }

/** Shows the page on which a visitor gives, with what a link has chosen or a form has typed. */
export const showDonate = (
  asked: Asked,
  given: URLSearchParams,
  refused: Refused | null,
): PageAnswer => {
  const { ctx, lang, campaign } = asked
  const island = islandOf(asked, null)
  const { assets } = island
  const t = donateTexts[lang]
  const isClosed = !isOpen(campaign) || assets.length === 0
  const isOffered = !isClosed && takesPayments(campaign, ctx.clock.now())
  return show({
    title: t.title(campaign.title),
    canonical: `/c/${campaign.slug}/donate`,
    ...(refused && { status: refused.status }),
    scripts: isOffered ? ['page', 'donate'] : ['page'],
    body: (
      <DonateView
        lang={lang}
        campaign={campaign}
        island={island}
        closed={isOffered ? null : isClosed ? t.closed.what : t.closed.escrow}
        typed={refused ? typedIn(lang, given, assets) : chosenBy(lang, given, assets)}
        rates={Object.fromEntries(
          assets.map(({ symbol }) => [symbol, rateOf(ctx, symbol, campaign)]),
        )}
        refused={refused}
      />
    ),
  })
}

/**
 * What a link has chosen, with the amount as decimal text. A link names no wallet and no words,
 * because a stranger may have made it.
 */
const chosenBy = (lang: Language, query: URLSearchParams, assets: DonateProps['assets']): Typed => {
  const wished = query.get('currency')
  return {
    amount: retypeAmount(query.get('amount') ?? '', 'en', lang),
    currency: (assets.find(({ symbol }) => symbol === wished) ?? assets[0])?.symbol ?? '',
    ...{ name: '', message: '', wallet: '' },
  }
}

/** What was typed in a form that is refused. */
const typedIn = (lang: Language, form: URLSearchParams, assets: DonateProps['assets']): Typed => ({
  ...chosenBy(lang, form, assets),
  amount: retypeAmount(form.get('amount') ?? '', form.get('lang') ?? lang, lang),
  name: form.get('name') ?? '',
  message: form.get('message') ?? '',
  wallet: form.get('wallet') ?? '',
})
