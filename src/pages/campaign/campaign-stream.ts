import { getCampaign } from '../../domain/campaign/index.ts'
import { campaignVersion } from '../../domain/live/index.ts'
import { DomainError } from '../../kernel/errors.ts'
import { type Live, type LiveSource, renderParts, stream } from '../live/index.ts'
import { campaignParts } from './campaign-view.tsx'
import { findCampaign, loadLive } from './load-campaign.ts'

/** The stream that keeps the open pages of a campaign up to date. Drafts have none. */
export const campaignStream = (live: Live) =>
  stream(live, '/c/:slug/live', 'campaign-live', async ({ ctx, params }) => {
    const { id, status } = await findCampaign(ctx, params.slug)
    if (status === 'draft') throw new DomainError('not_found', 'There is no such campaign.')
    return { key: `campaign:${id}`, source: sourceOf(id) }
  })

const sourceOf = (id: string): LiveSource => ({
  version: (ctx) => campaignVersion(ctx, id),
  async parts(ctx, lang) {
    const live = await loadLive(ctx, await getCampaign(ctx, id))
    return renderParts(campaignParts(live, lang))
  },
})
