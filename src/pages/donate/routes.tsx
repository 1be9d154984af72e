import type { Context } from '../../db/context.ts'
import { type CampaignView, getCampaign } from '../../domain/campaigns/index.ts'
import { cancelIntent, changeDonation, getDonation } from '../../domain/donations/index.ts'
import { ErrorSummary } from '../components/form.tsx'
import type { DonateProps } from '../components/payment-panel.tsx'
import { isOpen, takesPayments } from '../load/campaign.ts'
import { donationCookie, keptDonation } from '../load/donation-cookie.ts'
import { islandOf, payableAssets, rateOf, toIntent, walletChain } from '../load/payable.ts'
import { get, type PageAnswer, post, seeOther, send, show, type Visit } from '../page.ts'
import { HashForm } from '../parts/payment-instructions.tsx'
import { pathWithReturn } from '../session/own-path.ts'
import { idOf } from '../session/page-session.ts'
import type { Language } from '../shared/languages.ts'
import { hashIn, retypeAmount } from '../shared/typed.ts'
import { donateTexts } from '../texts/donate/index.ts'
import { donationTexts } from '../texts/donation/index.ts'
import { DonateView, type PaidCampaign, type Typed } from './donate-view.tsx'
import { PaidView } from './paid-view.tsx'
import {
  type Recorded,
  type RefusedPaid,
  recordIntentOf,
  recordOffered,
  recordPaid,
} from './record.ts'
import { errorsOf, problemOf, type Refused, refused, toRefused } from './refusals.ts'

/** The pages on which visitors give, and the forms of an unpaid donation. */
export const donatePages = () => [
  get('/c/:slug/donate', 'donate', async ({ ctx, lang, params, query }) =>
    showDonate({ ctx, lang, campaign: await getCampaign(ctx, params.slug) }, query, null),
  ),
  post('/c/:slug/donate', 'record-intent', async (visit) => {
    const { ctx, lang, form, params } = visit
    const campaign = await getCampaign(ctx, params.slug)
    const isScript = visit.header('accept') === 'application/json'
    const recorded = await recordIntentOf(visit, campaign).catch(toRefused)
    if ('refusals' in recorded) {
      const asked = { ctx, lang, campaign }
      return isScript ? sendRefusal(visit, recorded) : showDonate(asked, form, recorded)
    }
    const cookie = donationCookie(ctx.settings.publicUrl, recorded)
    return isScript ? sendIntent(recorded, cookie) : seeOther(`/d/${recorded.donation.id}`, cookie)
  }),
  post('/d/:id/cancel', 'cancel-intent', async (visit) => {
    const { ctx } = visit
    const id = idOf(visit)
    if (isUnconfirmed(visit)) return toVerify(id)
    const { campaignId } = await getDonation(ctx, id)
    await cancelIntent(ctx, id, keptDonation(visit)?.claimToken)
    const { slug } = await getCampaign(ctx, campaignId)
    return seeOther(`/c/${slug}/donate?cancelled`)
  }),
  post('/d/:id/hash', 'attach-hash', async (visit) => {
    const { ctx, lang, form } = visit
    const id = idOf(visit)
    if (isUnconfirmed(visit)) return toVerify(id)
    const typed = form.get('txHash') ?? ''
    const refused = await attach(ctx, id, hashIn(typed), keptDonation(visit)?.claimToken)
    return refused ? showRefused({ lang, donationId: id, typed, refused }) : seeOther(`/d/${id}`)
  }),
  post('/d/:id/payment', 'add-payment', async (visit) => {
    const { ctx, lang } = visit
    const id = idOf(visit)
    if (isUnconfirmed(visit)) return toVerify(id)
    const recorded = await recordOffered(visit, id).catch(toRefused)
    if ('refusals' in recorded) return showRefused({ lang, donationId: id, refused: recorded })
    const cookie = donationCookie(ctx.settings.publicUrl, recorded)
    return seeOther(`/d/${recorded.donation.id}`, cookie)
  }),
  ...paidPages(),
]

/** Whether an account must first confirm its mail address. A guest has none. */
const isUnconfirmed = ({ caller }: Visit): boolean => caller !== null && !caller.verified

const toVerify = (id: string) => seeOther(pathWithReturn('/verify', `/d/${id}`))

/** Attaches a hash to an intent. Returns a refusal that the form can explain. */
const attach = async (
  ctx: Context,
  id: string,
  txHash: string | undefined,
  claimToken: string | undefined,
) => {
  if (txHash === undefined) return refused('transaction')
  try {
    await changeDonation(ctx, id, { txHash, claimToken })
    return null
  } catch (error) {
    return toRefused(error)
  }
}

type ShownRefusal = { lang: Language; donationId: string; typed?: string; refused: Refused }

/** Shows what was refused of a donation, with the form for a hash if a hash was typed. */
const showRefused = ({ lang, donationId, typed, refused }: ShownRefusal) => {
  const t = donateTexts[lang]
  const errors = errorsOf(t, refused)
  const title = typed === undefined ? t.errors : t.how.hashTitle
  return show({
    title,
    status: refused.status,
    scripts: ['page', 'slow'],
    body: (
      <div class="narrow">
        <h1>{title}</h1>
        <ErrorSummary
          title={t.errors}
          errors={errors.map(({ text }) => ({ text, ...(typed !== undefined && TX_HASH) }))}
        />
        {typed !== undefined && (
          <HashForm lang={lang} donationId={donationId} value={typed} error={errors[0]?.text} />
        )}
        <p>
          <a href={`/d/${donationId}`}>{donationTexts[lang].receipt.back}</a>
        </p>
      </div>
    ),
  })
}

const TX_HASH = { field: 'txHash' }

const JSON_TYPE = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }

const sendIntent = ({ donation, wallet }: Recorded, cookie: string) =>
  send({
    status: 201,
    text: JSON.stringify(toIntent(donation, wallet)),
    headers: { ...JSON_TYPE, 'Set-Cookie': cookie },
  })

const sendRefusal = ({ lang }: Visit, refused: Refused) =>
  send({
    status: refused.status,
    text: JSON.stringify({
      problem: problemOf(refused),
      text: errorsOf(donateTexts[lang], refused)
        .map(({ text }) => text)
        .join(' '),
    }),
    headers: JSON_TYPE,
  })

/** The page for a payment that was sent before it was announced. */
const paidPages = () => [
  get('/c/:slug/paid', 'paid', async (visit) =>
    showPaid(visit, await getCampaign(visit.ctx, visit.params.slug), visit.form, null),
  ),
  post('/c/:slug/paid', 'record-paid', async (visit) => {
    const { ctx, params, form } = visit
    const campaign = await getCampaign(ctx, params.slug)
    const recorded = await recordPaid(visit, campaign).catch(toRefused)
    if ('refusals' in recorded) return showPaid(visit, campaign, form, recorded)
    const cookie = donationCookie(ctx.settings.publicUrl, recorded)
    return seeOther(`/d/${recorded.donation.id}`, cookie)
  }),
]

const showPaid = (
  { ctx, lang }: Visit,
  campaign: CampaignView,
  typed: URLSearchParams,
  refused: RefusedPaid | null,
): PageAnswer =>
  show({
    title: donateTexts[lang].paid.title(campaign.title),
    canonical: `/c/${campaign.slug}/paid`,
    scripts: ['page', 'slow'],
    ...(refused && { status: refused.status }),
    body: (
      <PaidView
        lang={lang}
        campaign={campaign}
        network={walletChain(ctx, campaign).name}
        assets={payableAssets(ctx, campaign)}
        typed={typed}
        refused={refused}
      />
    ),
  })

type Asked = { ctx: Context; lang: Language; campaign: PaidCampaign }

/** Shows the page on which a visitor gives, with what a link has chosen or a form has typed. */
const showDonate = (asked: Asked, given: URLSearchParams, refused: Refused | null): PageAnswer => {
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
        isCancelled={given.has('cancelled')}
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
