import type { Context } from '../../db/context.ts'
import { type Flows, getLedgerHead, listEntries, readFlows } from '../../domain/books/index.ts'
import {
  type CampaignView as Campaign,
  getImpact,
  getUpdate,
  listImpact,
  listUpdates,
  readCreator,
  readEvidence,
  readFigures,
} from '../../domain/campaigns/index.ts'
import { listDonations, readDonations, readWaiting } from '../../domain/donations/index.ts'
import { campaignVersion } from '../../domain/events/index.ts'
import { DomainError } from '../../kernel/errors.ts'
import { isId } from '../../kernel/formats/ids.ts'
import { createShortKeeper } from '../../kernel/keep-short.ts'
import { unlessRefused } from '../../kernel/unless-refused.ts'
import { type Live, type LiveSource, renderParts, stream } from '../live/index.ts'
import { chainOf, findCampaign, getOfCampaign, readTrouble } from '../load/campaign.ts'
import { payableAssets } from '../load/payable.ts'
import { show } from '../page.ts'
import { Preview } from '../parts/preview.tsx'
import { excerptOf } from '../shared/format.ts'
import { campaignTexts } from '../texts/campaign/index.ts'
import { CampaignView, campaignParts } from './campaign-view.tsx'
import { LedgerView } from './ledger-view.tsx'
import { DonationsView, SHOWN_STATES, UpdatesView } from './list-views.tsx'
import type { LiveCampaign } from './live-campaign.ts'

/** The length of the description for search engines and previews. */
const MAX_DESCRIPTION = 160
const DONATIONS = 25
const ENTRIES = 25
const UPDATES = 10
/** The updates on the page of the campaign itself. */
const NEWEST_UPDATES = 2
/** The impact reports on the page of the campaign. */
const NEWEST_REPORTS = 3

/** The public pages of a campaign. */
export const campaignPages = () => [
  getOfCampaign('/c/:slug', 'campaign', async ({ ctx, lang }, campaign) => {
    const live = await loadLive(ctx, campaign.id)
    const { updates } = await loadUpdates(ctx, campaign.id, { limit: NEWEST_UPDATES })
    const evidence = await readEvidence(ctx, campaign.id)
    const impact = await loadImpact(ctx, campaign.id)
    const { publicUrl } = ctx.settings
    const address = new URL(`/c/${campaign.slug}`, publicUrl).href
    const creator = await readCreator(ctx, campaign.id)
    const more = { chain: chainOf(ctx, campaign), updates, evidence, impact, creator, address }
    const description = excerptOf(campaign.description, MAX_DESCRIPTION)
    return show({
      title: campaign.title,
      description,
      scripts: ['live'],
      isHidden: campaign.status === 'draft',
      head: campaign.status !== 'draft' && (
        <Preview
          {...{ title: campaign.title, description, publicUrl, lang }}
          path={`/c/${campaign.slug}`}
          picture={`/c/${campaign.slug}/share.png`}
        />
      ),
      body: <CampaignView {...live} {...more} lang={lang} />,
    })
  }),
  getOfCampaign(
    '/c/:slug/donations',
    'campaign-donations',
    async ({ ctx, lang, query }, campaign) => {
      const path = `/c/${campaign.slug}/donations`
      const status = SHOWN_STATES.find((known) => known === query.get('status'))
      const { items, nextCursor } = await listDonations(ctx, {
        campaignId: campaign.id,
        status: status && [status],
        ...pageOf(query, DONATIONS),
      })
      const position = { path, query: kept(query, ...(status ? ['status'] : [])), nextCursor }
      const now = ctx.clock.now()
      return show({
        ...titleOf(campaignTexts[lang].donations, campaign),
        body: <DonationsView {...{ campaign, donations: items, status, position, lang, now }} />,
      })
    },
  ),
  getOfCampaign('/c/:slug/ledger', 'campaign-ledger', async ({ ctx, lang, query }, campaign) => {
    const path = `/c/${campaign.slug}/ledger`
    const page = await listEntries(ctx, campaign.id, pageOf(query, ENTRIES))
    const { items: entries, nextCursor, total } = page
    const head = await unlessRefused(getLedgerHead(ctx, campaign.id), 'not_found')
    const flows = await keepFlows(`${campaign.id} ${total}`, () => readFlows(ctx, campaign.id))
    const position = { path, query: kept(query), nextCursor }
    const props = { campaign, chain: chainOf(ctx, campaign), head, flows, position, lang }
    return show({
      ...titleOf(campaignTexts[lang].ledger, campaign),
      body: <LedgerView {...props} entries={entries} total={total ?? 0} />,
    })
  }),
  getOfCampaign('/c/:slug/updates', 'campaign-updates', async ({ ctx, lang, query }, campaign) => {
    const path = `/c/${campaign.slug}/updates`
    const page = pageOf(query, UPDATES)
    const id = query.get('update') ?? undefined
    const { updates, nextCursor } = await loadUpdates(ctx, campaign.id, page, id)
    const position = { path, query: kept(query), nextCursor }
    return show({
      ...titleOf(campaignTexts[lang].updates, campaign),
      body: <UpdatesView {...{ campaign, updates, position, lang }} />,
    })
  }),
]

/** The sums need all entries of a campaign. Visitors share one read until there are new entries. */
const keepFlows = createShortKeeper<Flows>()

/** The position of a list in the address. Pages know only cursors. */
const pageOf = (query: URLSearchParams, limit: number) => ({
  page: 1,
  limit,
  cursor: query.get('cursor') || undefined,
})

/** The parameters that the links of a list keep. */
const kept = (query: URLSearchParams, ...more: string[]): URLSearchParams =>
  new URLSearchParams([...query].filter(([name]) => ['cursor', ...more].includes(name)))

const titleOf = (what: string, { title, status }: Campaign) => ({
  title: `${what} · ${title}`,
  isHidden: status === 'draft',
})

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
    return renderParts(campaignParts(await loadLive(ctx, id), lang))
  },
})

const NEWEST_DONATIONS = 10

/** The most characters of an update beside others. */
const MAX_CONTENT = 2_000

/** Reads everything that changes while the page of a campaign is open. */
const loadLive = async (ctx: Context, id: string): Promise<LiveCampaign> => {
  const figures = await readFigures(ctx, id)
  const { campaign } = figures
  const [waiting, trouble, { items: donations }] = await Promise.all([
    readWaiting(ctx, campaign),
    payableAssets(ctx, campaign).length === 0
      ? ({ kind: 'closed' } as const)
      : readTrouble(ctx, campaign.chainId),
    readDonations(ctx, id, { limit: NEWEST_DONATIONS }),
  ])
  return { ...figures, waiting, trouble, donations, now: ctx.clock.now() }
}

/** Reads the newest impact reports of a campaign, with their evidence. */
const loadImpact = async (ctx: Context, campaignId: string) => {
  const { items } = await listImpact(ctx, campaignId, { page: 1, limit: NEWEST_REPORTS })
  return Promise.all(items.map(({ id }) => getImpact(ctx, { campaignId, id })))
}

/** Reads updates of a campaign, newest first and shortened; or, with `id`, this one as a whole. */
const loadUpdates = async (
  ctx: Context,
  campaignId: string,
  position: { limit: number; cursor?: string | undefined },
  id = '',
) => {
  const one = isId(id) ? await getUpdate(ctx, id) : undefined
  if (one?.campaignId === campaignId) return { updates: [one], nextCursor: null }
  const query = { campaignId, page: 1, ...position }
  const { items, nextCursor } = await listUpdates(ctx, query, MAX_CONTENT)
  return { updates: items, nextCursor }
}
