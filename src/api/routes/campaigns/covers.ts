import {
  deleteCover,
  getCover,
  MAX_COVER_BYTES,
  setCover,
} from '../../../domain/campaigns/index.ts'
import { succeed, success } from '../../../edge/answer/answers.ts'
import { answerText, isNamedBy } from '../../../edge/answer/kept-text.ts'
import { route } from '../../../edge/route.ts'
import { COVER_TYPES, IMAGE_TYPES } from '../../../kernel/formats/image.ts'
import { Campaign, toCampaignBody } from './campaign-body.ts'

/** Headers that keep a browser from running an uploaded file as a page of this origin. */
const HARMLESS = {
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'X-Content-Type-Options': 'nosniff',
}
/** With these headers, other origins may show a cover, and caches keep it for five minutes. */
const PUBLIC = {
  'Cache-Control': 'public, max-age=300',
  'Cross-Origin-Resource-Policy': 'cross-origin',
}

const IMAGES = Object.fromEntries(COVER_TYPES.map((type) => [type, null]))

export const coverOperations = () => [
  route.put('/api/campaigns/:id/cover', {
    operationId: 'setCover',
    summary:
      'Give your campaign a cover image: JPEG, PNG or WebP of at most 500 kB, stored as sent with all its metadata.',
    auth: 'verified',
    scope: 'campaigns:write',
    upload: { types: IMAGE_TYPES, maxBytes: MAX_COVER_BYTES },
    answers: { 200: success('The changed campaign.', { campaign: Campaign }) },
    errors: ['conflict'],
    handler: async ({ ctx, params, file }) => {
      const campaign = await setCover(ctx, params.id, file)
      return succeed({ campaign: toCampaignBody(campaign) })
    },
  }),
  route.get('/api/campaigns/:id/cover', {
    operationId: 'getCover',
    summary: 'The cover image of a campaign, for an `<img>`.',
    auth: 'optional',
    answers: {
      200: { description: 'The image as it was sent.', otherTypes: IMAGES },
      304: { description: 'Not changed: `If-None-Match` names its ETag.' },
    },
    handler: async ({ ctx, params, header }) => {
      const cover = await getCover(ctx, params.id)
      const etag = `"${cover.tag}"`
      const headers = { ...HARMLESS, ...(cover.isPublic ? PUBLIC : {}), ETag: etag }
      if (isNamedBy(header('if-none-match') ?? '', etag)) return { status: 304, headers }
      const bytes = await cover.read()
      if (cover.type === 'image/svg+xml') {
        return answerText(cover.type, bytes.toString(), headers, header)
      }
      return { bytes, headers: { ...headers, 'Content-Type': cover.type } }
    },
  }),
  route.delete('/api/campaigns/:id/cover', {
    operationId: 'deleteCover',
    summary: 'Remove the cover image of your campaign.',
    auth: 'verified',
    scope: 'campaigns:write',
    answers: { 204: { description: 'Removed.' } },
    handler: ({ ctx, params }) => deleteCover(ctx, params.id),
  }),
]
