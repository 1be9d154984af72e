import { z } from 'zod'
import {
  ChangeUpdate,
  changeUpdate,
  deleteUpdate,
  getUpdate,
  ListUpdates,
  listUpdates,
  PostUpdate,
  postUpdate,
} from '../../domain/update/index.ts'
import { EXAMPLE_ID } from '../openapi/samples.ts'
import { type Operation, operation } from '../operation.ts'
import { pageAnswer } from '../paging.ts'
import { EXCERPT, Id, IdParams, Pagination, Success, Time } from '../schemas.ts'

const Media = z.object({ type: z.string(), url: z.string(), caption: z.string().nullable() })

const Update = z
  .object({
    id: Id,
    campaignId: Id,
    type: z.string(),
    title: z.string(),
    content: z.string(),
    media: z.array(Media),
    createdAt: Time,
    updatedAt: Time.nullable().meta({
      description: 'When it was changed; null while it is as it was published.',
      examples: [null],
    }),
  })
  .meta({ id: 'CampaignUpdate' })

/** In a list, which leaves out long texts. */
const ListedUpdate = Update.extend({
  content: z.string().meta({ description: EXCERPT }),
  media: z
    .array(Media.omit({ caption: true }))
    .max(1)
    .meta({ description: 'The first one; the single read has the rest.' }),
}).meta({ id: 'ListedCampaignUpdate' })

const NEWS = {
  type: 'progress',
  title: 'The second well',
  content: 'It gives water.',
  media: [{ type: 'image', url: 'https://example.org/well.jpg', caption: 'The second well' }],
}

export const updateOperations = (): Operation[] => [
  operation({
    method: 'post',
    path: '/api/updates',
    operationId: 'postUpdate',
    summary: 'Publish news of your campaign.',
    tag: 'updates',
    auth: 'verified',
    scope: 'updates:write',
    body: PostUpdate,
    examples: {
      minimal: {
        campaignId: EXAMPLE_ID,
        type: 'progress',
        title: 'The second well',
        content: 'It gives water.',
      },
      full: { campaignId: EXAMPLE_ID, ...NEWS },
    },
    answers: {
      201: { description: 'The update.', schema: z.object({ success: Success, update: Update }) },
    },
    errors: ['forbidden', 'not_found'],
    handler: async ({ ctx, body }) => {
      const update = await postUpdate(ctx, body)
      return {
        status: 201,
        location: `/api/updates/${update.id}`,
        body: { success: true, update },
      }
    },
  }),
  operation({
    method: 'get',
    path: '/api/updates',
    operationId: 'listUpdates',
    summary: 'News of all campaigns, or of one, newest first.',
    tag: 'updates',
    auth: 'optional',
    query: ListUpdates,
    answers: {
      200: {
        description: 'One page.',
        schema: z.object({
          success: Success,
          updates: z.array(ListedUpdate),
          pagination: Pagination,
        }),
      },
    },
    errors: ['invalid_cursor'],
    handler: async ({ ctx, query, url }) =>
      pageAnswer('updates', await listUpdates(ctx, query), url, (update) => update),
  }),
  operation({
    method: 'get',
    path: '/api/updates/:id',
    operationId: 'getUpdate',
    summary: 'One piece of news.',
    tag: 'updates',
    auth: 'optional',
    params: IdParams,
    answers: { 200: { description: 'The update.', schema: Update } },
    handler: async ({ ctx, params }) => ({ status: 200, body: await getUpdate(ctx, params.id) }),
  }),
  operation({
    method: 'patch',
    path: '/api/updates/:id',
    operationId: 'changeUpdate',
    summary: 'Change news of your campaign; `updatedAt` says that it was changed.',
    tag: 'updates',
    auth: 'verified',
    scope: 'updates:write',
    params: IdParams,
    body: ChangeUpdate,
    examples: { minimal: { title: 'The third well' }, full: NEWS },
    answers: {
      200: { description: 'As it is now.', schema: z.object({ success: Success, update: Update }) },
    },
    errors: ['forbidden'],
    handler: async ({ ctx, params, body }) => ({
      status: 200,
      body: { success: true, update: await changeUpdate(ctx, params.id, body) },
    }),
  }),
  operation({
    method: 'delete',
    path: '/api/updates/:id',
    operationId: 'deleteUpdate',
    summary: 'Delete news of your campaign.',
    tag: 'updates',
    auth: 'verified',
    scope: 'updates:write',
    params: IdParams,
    answers: { 204: { description: 'It is gone.' } },
    errors: ['forbidden'],
    handler: async ({ ctx, params }) => {
      await deleteUpdate(ctx, params.id)
      return { status: 204 }
    },
  }),
]
