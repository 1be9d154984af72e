import { z } from 'zod'
import { PageQuery } from '../../domain/page.ts'
import {
  CreateEndpoint,
  createEndpoint,
  deleteEndpoint,
  getEndpoint,
  listEndpoints,
} from '../../domain/webhook/index.ts'
import { EVENT_TYPES } from '../../outbox/events.ts'
import { type Operation, operation } from '../operation.ts'
import { pageAnswer } from '../paging.ts'
import { Id, IdParams, Pagination, Success, Time } from '../schemas.ts'

const endpointFields = {
  id: Id,
  url: z.string(),
  events: z.array(z.enum(EVENT_TYPES)),
  description: z.string().nullable(),
  status: z.enum(['active', 'disabled']),
  disabledReason: z.enum(['gone', 'failing']).nullable(),
  createdAt: Time,
} as const

const Webhook = z.object(endpointFields).meta({ id: 'Webhook' })
const NewWebhook = z
  .object({
    ...endpointFields,
    secret: z.string().meta({
      description: 'Checks the signatures (Standard Webhooks); shown this once.',
    }),
  })
  .meta({ id: 'NewWebhook' })

export const webhookOperations = (): Operation[] => [
  operation({
    method: 'post',
    path: '/api/webhooks',
    operationId: 'createWebhook',
    summary: 'Register an address that events are sent to.',
    tag: 'webhooks',
    auth: 'user',
    scope: 'webhooks:write',
    body: CreateEndpoint,
    answers: {
      201: {
        description: 'The endpoint, with its secret.',
        schema: z.object({ success: Success, webhook: NewWebhook }),
      },
    },
    errors: ['webhook_url_refused', 'webhook_limit_reached'],
    handler: async ({ ctx, body }) => {
      const webhook = await createEndpoint(ctx, body)
      return {
        status: 201,
        location: `/api/webhooks/${webhook.id}`,
        body: { success: true, webhook },
      }
    },
  }),
  operation({
    method: 'get',
    path: '/api/webhooks',
    operationId: 'listWebhooks',
    summary: 'Your endpoints, newest first.',
    tag: 'webhooks',
    auth: 'user',
    query: PageQuery,
    answers: {
      200: {
        description: 'One page.',
        schema: z.object({
          success: Success,
          webhooks: z.array(Webhook),
          pagination: Pagination,
        }),
      },
    },
    errors: ['invalid_cursor'],
    handler: async ({ ctx, query, url }) =>
      pageAnswer('webhooks', await listEndpoints(ctx, query), url, (endpoint) => endpoint),
  }),
  operation({
    method: 'get',
    path: '/api/webhooks/:id',
    operationId: 'getWebhook',
    summary: 'One of your endpoints.',
    tag: 'webhooks',
    auth: 'user',
    params: IdParams,
    answers: { 200: { description: 'The endpoint.', schema: Webhook } },
    handler: async ({ ctx, params }) => ({ status: 200, body: await getEndpoint(ctx, params.id) }),
  }),
  operation({
    method: 'delete',
    path: '/api/webhooks/:id',
    operationId: 'deleteWebhook',
    summary: 'Remove an endpoint; what still waits for it is cancelled.',
    tag: 'webhooks',
    auth: 'user',
    scope: 'webhooks:write',
    params: IdParams,
    answers: { 204: { description: 'Removed.' } },
    handler: async ({ ctx, params }) => {
      await deleteEndpoint(ctx, params.id)
      return { status: 204 }
    },
  }),
]
