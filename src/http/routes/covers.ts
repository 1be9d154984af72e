import { z } from 'zod'
import { deleteCover, getCover, MAX_COVER_BYTES, setCover } from '../../domain/campaign/index.ts'
import { IMAGE_TYPES } from '../../kernel/image.ts'
import { isNamedBy } from '../kept-text.ts'
import { type Operation, operation } from '../operation.ts'
import { IdParams, Success } from '../schemas.ts'
import { Campaign, toCampaignBody } from './campaign-body.ts'

/**
 * What a stranger has uploaded is shown as an image, and never run as a document of this origin.
 */
const HARMLESS = {
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'X-Content-Type-Options': 'nosniff',
}
/** Pages of other origins may show it, and see a new one after five minutes. */
const PUBLIC = {
  'Cache-Control': 'public, max-age=300',
  'Cross-Origin-Resource-Policy': 'cross-origin',
}

const IMAGES = Object.fromEntries(IMAGE_TYPES.map((type) => [type, null]))

export const coverOperations = (): Operation[] => [
  operation({
    method: 'put',
    path: '/api/campaigns/:id/cover',
    operationId: 'setCover',
    summary:
      'Give your campaign a cover image: JPEG, PNG or WebP of at most 500 kB, stored as sent with all its metadata.',
    tag: 'campaigns',
    auth: 'verified',
    scope: 'campaigns:write',
    params: IdParams,
    upload: { types: IMAGE_TYPES, maxBytes: MAX_COVER_BYTES },
    answers: {
      200: {
        description: 'The campaign as it is now.',
        schema: z.object({ success: Success, campaign: Campaign }),
      },
    },
    errors: ['forbidden', 'conflict'],
    handler: async ({ ctx, params, file }) => {
      const campaign = await setCover(ctx, params.id, file)
      return { status: 200, body: { success: true, campaign: toCampaignBody(campaign) } }
    },
  }),
  operation({
    method: 'get',
    path: '/api/campaigns/:id/cover',
    operationId: 'getCover',
    summary: 'The cover image of a campaign, for an `<img>`.',
    tag: 'campaigns',
    auth: 'optional',
    params: IdParams,
    answers: {
      200: { description: 'The image as it was sent.', otherTypes: IMAGES },
      304: { description: 'You have it already: `If-None-Match` names its ETag.' },
    },
    handler: async ({ ctx, params, header }) => {
      const cover = await getCover(ctx, params.id)
      const etag = `"${cover.tag}"`
      const headers = { ...HARMLESS, ...(cover.isPublic ? PUBLIC : {}), ETag: etag }
      if (isNamedBy(header('if-none-match') ?? '', etag)) return { status: 304, headers }
      const bytes = await cover.read()
      return { status: 200, bytes, headers: { ...headers, 'Content-Type': cover.type } }
    },
  }),
  operation({
    method: 'delete',
    path: '/api/campaigns/:id/cover',
    operationId: 'deleteCover',
    summary: 'Remove the cover image of your campaign.',
    tag: 'campaigns',
    auth: 'verified',
    scope: 'campaigns:write',
    params: IdParams,
    answers: { 204: { description: 'Removed.' } },
    errors: ['forbidden', 'not_found'],
    handler: async ({ ctx, params }) => {
      await deleteCover(ctx, params.id)
      return { status: 204 }
    },
  }),
]
