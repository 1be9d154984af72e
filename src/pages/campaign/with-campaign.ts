import type { CampaignView } from '../../domain/campaigns/index.ts'
import { type PageAnswer, send, type Visit } from '../page.ts'
import { findCampaign } from './load-campaign.ts'

type CampaignVisit = Visit<{ slug: string }>

/**
 * Runs a page below `/c/:slug` with its campaign. A campaign has one address, so other names of it,
 * such as its id, lead there for good.
 */
export const withCampaign =
  (run: (visit: CampaignVisit, campaign: CampaignView) => Promise<PageAnswer>) =>
  async (visit: CampaignVisit): Promise<PageAnswer> => {
    const campaign = await findCampaign(visit.ctx, visit.params.slug)
    if (campaign.slug === visit.params.slug) return run(visit, campaign)
    const to = visit.path.replace(/^\/c\/[^/?]+/, `/c/${campaign.slug}`)
    return send({ status: 301, text: null, headers: { Location: to } })
  }
