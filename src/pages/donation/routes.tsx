import { type DonationView, listOfferedPayments } from '../../domain/donations/index.ts'
import { donationVersion } from '../../domain/events/index.ts'
import type { CheckProps } from '../components/check-state.ts'
import { type Live, type LiveSource, renderParts, stream } from '../live/index.ts'
import { checkProps } from '../load/check-props.ts'
import { keptDonation } from '../load/donation-cookie.ts'
import { instructionsOf } from '../load/payable.ts'
import { readyRefundOf } from '../load/ready-refund.ts'
import { get, show } from '../page.ts'
import { Preview } from '../parts/preview.tsx'
import { donationTexts } from '../texts/donation/index.ts'
import { layoutTexts } from '../texts/layout/index.ts'
import { doneOf, titleOf } from './donation-panel.tsx'
import { DonationPage, donationParts, guestOfferOf } from './donation-view.tsx'
import { findDonation, loadDonation, trackDonation } from './load-donation.ts'
import { ReceiptView } from './receipt-view.tsx'

/** The page of a donation, its stream and its receipt. */
export const donationPages = (live: Live) => [
  get('/d/:id', 'donation', async (visit) => {
    const { ctx, lang, params } = visit
    const kept = keptDonation(visit)
    const [found, anyCheck] = await Promise.all([
      findDonation(ctx, params.id, kept?.claimToken),
      checkProps(ctx, lang),
    ])
    const { donation, campaign } = found
    const [tracked, payment, offered] = await Promise.all([
      trackDonation(ctx, found),
      instructionsOf(visit, found, kept),
      mayHaveOffers(donation) ? listOfferedPayments(ctx, donation, kept?.claimToken) : [],
    ])
    const ready = await readyRefundOf(ctx, tracked)
    const guest = guestOfferOf(visit, found, kept)
    const check: CheckProps = {
      ...anyCheck,
      donation: {
        proof: `/api/donations/${donation.id}/proof`,
        expected: { id: donation.id, campaignId: campaign.id, account: campaign.ledgerAccount },
      },
    }
    return show({
      title: titleOf(tracked, lang),
      scripts: [
        'live',
        'check',
        'page',
        ...(payment ? ['donate'] : []),
        ...(payment || offered.length > 0 ? ['slow'] : []),
        ...(ready ? ['send'] : []),
      ],
      // Anyone can promise an amount. A search engine finds only what a block holds.
      isHidden: donation.confirmedAmount === null,
      head: (
        <Preview
          {...{ title: titleOf(tracked, lang), description: layoutTexts[lang].description, lang }}
          path={`/d/${donation.id}`}
          picture={`/d/${donation.id}/share.png`}
          publicUrl={ctx.settings.publicUrl}
        />
      ),
      body: (
        <DonationPage
          {...{ tracked, lang, check, payment, offered, ready, guest, wallet: kept?.wallet }}
        />
      ),
    })
  }),
  get('/d/:id/receipt', 'receipt', async (visit) => {
    const { ctx, lang, params } = visit
    const claimToken = keptDonation(visit)?.claimToken
    const tracked = await trackDonation(ctx, await findDonation(ctx, params.id, claimToken))
    const back = tracked.donation.refundedAmount && doneOf(tracked, lang)?.word
    const words = [back, donationTexts[lang].receipt.title, titleOf(tracked, lang)]
    return show({
      title: words.filter(Boolean).join(' · '),
      scripts: ['page'],
      isHidden: true,
      body: <ReceiptView tracked={tracked} lang={lang} settings={ctx.settings} />,
    })
  }),
  donationStream(live),
]

/** Only an intent with an attached hash and a donation in a block have more payments to offer. */
const mayHaveOffers = ({ payment, confirmedAmount }: DonationView): boolean =>
  confirmedAmount !== null || payment?.txHash != null

/** The stream that keeps the open pages of a donation up to date. */
const donationStream = (live: Live) =>
  stream(live, '/d/:id/live', 'donation-live', async ({ ctx, params }) => {
    const { donation } = await findDonation(ctx, params.id)
    return { key: `donation:${donation.id}`, source: sourceOf(donation.id) }
  })

const sourceOf = (id: string): LiveSource => ({
  version: (ctx) => donationVersion(ctx, id),
  parts: async (ctx, lang) => renderParts(donationParts(await loadDonation(ctx, id), lang)),
})
