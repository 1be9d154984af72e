import { donationVersion } from '../../domain/live/index.ts'
import { type Live, type LiveSource, renderParts, stream } from '../live/index.ts'
import { donationParts } from './donation-view.tsx'
import { loadDonation } from './load-donation.ts'

/** The stream that keeps the open pages of a donation up to date. */
export const donationStream = (live: Live) =>
  stream(live, '/d/:id/live', 'donation-live', async ({ ctx, params }) => {
    const { donation } = await loadDonation(ctx, params.id)
    return { key: `donation:${donation.id}`, source: sourceOf(donation.id) }
  })

const sourceOf = (id: string): LiveSource => ({
  version: (ctx) => donationVersion(ctx, id),
  parts: async (ctx, lang) => renderParts(donationParts(await loadDonation(ctx, id), lang)),
})
