import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Context } from '../../db/context.ts'
import { type CampaignView, getCover, listAddresses } from '../../domain/campaigns/index.ts'
import { answerText } from '../../edge/answer/kept-text.ts'
import { DomainError, messageOf } from '../../kernel/errors.ts'
import { isId } from '../../kernel/formats/ids.ts'
import { createLru } from '../../kernel/lru.ts'
import { findDonation } from '../donation/load-donation.ts'
import { findCampaign, isOpen } from '../load/campaign.ts'
import { get, type PageAnswer, send } from '../page.ts'
import { stateOf } from '../parts/donation-chip.tsx'
import { formatMoney, shareOf } from '../shared/format.ts'
import type { Language } from '../shared/languages.ts'
import { campaignTexts } from '../texts/campaign/index.ts'
import { createDraw } from './draw.ts'
import { patternOf } from './pattern.ts'
import { type Picture, pictureSvg } from './picture.ts'

/** Other sites may use these pictures, and caches keep them for five minutes. */
const PUBLIC = {
  'Cache-Control': 'public, max-age=300',
  'Cross-Origin-Resource-Policy': 'cross-origin',
}
const FOR_EVER = { ...PUBLIC, 'Cache-Control': 'public, max-age=31536000, immutable' }
const HOUR = { 'Cache-Control': 'public, max-age=3600' }

const MAX_KEPT = 100
const MAX_ADDRESSES = 5_000
/** Decoding a larger cover would need too much memory. */
const MAX_PIXELS = 4_000_000
const DRAWN_TYPES = ['image/png', 'image/jpeg', 'image/svg+xml']

const fileOf = (path: string) => readFileSync(join(import.meta.dirname, path))

/** Pictures that other sites, search engines and devices ask for. */
export const sharePages = () => {
  const drawKept = createKeptDraw()
  const touchIcon = fileOf('../layout/touch-icon.png')
  const icon = (path: '/favicon.ico' | '/apple-touch-icon.png') =>
    get(path, 'icon', async () => png(touchIcon, HOUR))
  return [
    icon('/favicon.ico'),
    icon('/apple-touch-icon.png'),
    get('/patterns/:ink/:id', 'pattern', async ({ params: { ink, id }, header }) => {
      if (!isId(id) || (ink !== 'green' && ink !== 'grey')) {
        throw new DomainError('not_found', 'There is no such picture.')
      }
      const svg = patternOf(id, ink)
      return send({ text: null, ...(await answerText('image/svg+xml', svg, FOR_EVER, header)) })
    }),
    get('/c/:slug/share.png', 'share-campaign', async ({ ctx, params, lang }) => {
      const campaign = await findCampaign(ctx, params.slug)
      return drawKept(ctx, campaign, ofCampaign(campaign, lang))
    }),
    get('/d/:id/share.png', 'share-donation', async ({ ctx, params, lang }) => {
      const { donation, campaign } = await findDonation(ctx, params.id)
      const { donationStates: states } = campaignTexts[lang]
      const ofDonation = {
        by: campaign.title,
        title: formatMoney(lang, donation.amount),
        figure: states[stateOf(donation)],
        // Where everyone can check it.
        below: new URL(ctx.settings.publicUrl).host,
        share: null,
      }
      return drawKept(ctx, campaign, donation.isProven ? ofDonation : ofCampaign(campaign, lang))
    }),
    get('/sitemap.xml', 'sitemap', async ({ ctx, header }) => {
      const addresses = await listAddresses(ctx, MAX_ADDRESSES)
      const xml = sitemapOf(ctx.settings.publicUrl, addresses)
      return send({ text: null, ...(await answerText('application/xml', xml, HOUR, header)) })
    }),
  ]
}

const png = (bytes: Uint8Array<ArrayBuffer>, headers: Readonly<Record<string, string>>) =>
  send({ status: 200, text: null, bytes, headers: { ...headers, 'Content-Type': 'image/png' } })

type Words = Omit<Picture, 'cover'>

const ofCampaign = (campaign: CampaignView, lang: Language): Words => {
  const { currency, currentAmount, targetAmount, creatorName, title } = campaign
  return {
    by: creatorName ?? '',
    title,
    figure: formatMoney(lang, { value: currentAmount, currency }),
    below: campaignTexts[lang].raisedOf(formatMoney(lang, { value: targetAmount, currency })),
    share: shareOf(currentAmount, targetAmount),
  }
}

/** Returns a function that draws pictures and keeps the newest ones. */
const createKeptDraw = () => {
  const draw = createDraw()
  const generic = fileOf('../embed/og.png')
  const kept = createLru<Promise<Uint8Array<ArrayBuffer>>>(MAX_KEPT)
  return async (ctx: Context, campaign: CampaignView, words: Words): Promise<PageAnswer> => {
    const { id, status, cover, updatedAt } = campaign
    if (status === 'draft') throw new DomainError('not_found', 'This is a draft.')
    const key = JSON.stringify([id, status, cover && updatedAt, words])
    const known = kept.get(key)
    const drawing =
      known ?? readCover(ctx, campaign).then((url) => draw(pictureSvg({ cover: url, ...words })))
    kept.set(key, drawing)
    try {
      return png(await drawing, PUBLIC)
    } catch (error) {
      kept.delete(key)
      if (!known) ctx.log.warn({ reason: messageOf(error) }, 'a picture for other sites failed')
      return png(generic, { ...PUBLIC, 'Cache-Control': 'no-store' })
    }
  }
}

/** The cover as a `data:` URL, or the pattern if there is none that can be drawn. */
const readCover = async (ctx: Context, campaign: CampaignView): Promise<string> => {
  const { id, cover } = campaign
  const urlOf = (type: string, bytes: Buffer) => `data:${type};base64,${bytes.toString('base64')}`
  if (cover && DRAWN_TYPES.includes(cover.type) && cover.width * cover.height <= MAX_PIXELS) {
    const { type, read } = await getCover(ctx, id)
    return urlOf(type, await read())
  }
  return urlOf('image/svg+xml', Buffer.from(patternOf(id, isOpen(campaign) ? 'green' : 'grey')))
}

/** The addresses for search engines (https://www.sitemaps.org). Slugs need no escapes. */
const sitemapOf = (publicUrl: string, campaigns: Awaited<ReturnType<typeof listAddresses>>) => {
  const one = (path: string, changed = '') =>
    `<url><loc>${new URL(path, publicUrl).href}</loc>${changed && `<lastmod>${changed}</lastmod>`}</url>`
  const pages = ['/', '/check', '/total', '/status'].map((path) => one(path))
  const own = campaigns.map(({ slug, updatedAt }) => one(`/c/${slug}`, updatedAt.toISOString()))
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${[...pages, ...own].join('\n')}</urlset>\n`
}
