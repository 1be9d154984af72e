import { type CampaignView, getCampaign } from '../../domain/campaign/index.ts'
import { get, type PageAnswer, post, seeOther, show, type Visit } from '../page.ts'
import { donationCookie } from './donation-cookie.ts'
import { PaidView } from './paid-view.tsx'
import { payableAssets, walletChain } from './payable.ts'
import { type RefusedPaid, recordPaid } from './record-paid.ts'
import { toRefused } from './refusals.ts'
import { donateTexts } from './texts/index.ts'

/** The page for a payment that was sent before it was announced. */
export const paidPages = () => [
  get('/c/:slug/paid', 'paid', async (visit) =>
    showPaid(visit, await getCampaign(visit.ctx, visit.params.slug), visit.form, null),
  ),
  post('/c/:slug/paid', 'record-paid', async (visit) => {
    const { ctx, params, form } = visit
    const campaign = await getCampaign(ctx, params.slug)
    const recorded = await recordPaid(visit, campaign).catch(toRefused)
    if ('refusal' in recorded) return showPaid(visit, campaign, form, recorded)
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
    scripts: ['page'],
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
