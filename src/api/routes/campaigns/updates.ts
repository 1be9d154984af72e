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
} from '../../../domain/campaigns/index.ts'
import { pageAnswer, pageOf, succeed, success } from '../../../edge/answer/answers.ts'
import { route } from '../../../edge/route.ts'
import { component, EXCERPT, Id, Time } from '../../../edge/schemas.ts'
import { EXAMPLE_ID } from '../../openapi/samples.ts'

const Media = z.object({ type: z.string(), url: z.string(), caption: z.string().nullable() })

const Update = component('CampaignUpdate', {
  id: Id,
  campaignId: Id,
  type: z.string(),
  title: z.string(),
  content: z.string(),
  media: z.array(Media),
  createdAt: Time,
  updatedAt: Time.nullable().meta({
    description: 'The time of the last change; null if there was no change.',
    examples: [null],
  }),
})

/** An update in a list has only the start of `content`, and at most one item of `media`. */
const ListedUpdate = Update.extend({
  content: z.string().describe(EXCERPT),
  media: z
    .array(Media.omit({ caption: true }))
    .max(1)
    .describe('The first medium only. The request for one update returns all media.'),
}).meta({ id: 'ListedCampaignUpdate' })

const NEWS = {
  type: 'progress',
  title: 'The second well',
  content: 'It gives water.',
  media: [{ type: 'image', url: 'https://example.org/well.jpg', caption: 'The second well' }],
}

export const updateOperations = () => [
  route.post('/api/updates', {
    operationId: 'postUpdate',
    summary: 'Publish news of your campaign.',
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
    answers: { 201: success('The update.', { update: Update }) },
    errors: ['not_found'],
    handler: async ({ ctx, body }) => {
      const update = await postUpdate(ctx, body)
      return succeed({ update }, { location: `/api/updates/${update.id}` })
    },
  }),
  route.get('/api/updates', {
    operationId: 'listUpdates',
    summary: 'News of all campaigns, or of one campaign, newest first.',
    auth: 'optional',
    query: ListUpdates,
    answers: { 200: pageOf('updates', ListedUpdate) },
    handler: async ({ ctx, query, url }) =>
      pageAnswer('updates', await listUpdates(ctx, query), url),
  }),
  route.get('/api/updates/:id', {
    operationId: 'getUpdate',
    summary: 'One update.',
    auth: 'optional',
    answers: { 200: { description: 'The update.', schema: Update } },
    handler: async ({ ctx, params }) => ({ body: await getUpdate(ctx, params.id) }),
  }),
  route.patch('/api/updates/:id', {
    operationId: 'changeUpdate',
    summary: 'Change an update of your campaign and set its `updatedAt`.',
    auth: 'verified',
    scope: 'updates:write',
    body: ChangeUpdate,
    examples: { minimal: { title: 'The third well' }, full: NEWS },
    answers: { 200: success('The changed update.', { update: Update }) },
    handler: async ({ ctx, params, body }) =>
      succeed({ update: await changeUpdate(ctx, params.id, body) }),
  }),
  route.delete('/api/updates/:id', {
    operationId: 'deleteUpdate',
    summary: 'Delete an update of your campaign.',
    auth: 'verified',
    scope: 'updates:write',
    answers: { 204: { description: 'Deleted.' } },
    handler: ({ ctx, params }) => deleteUpdate(ctx, params.id),
  }),
]
