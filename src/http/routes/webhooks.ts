import { z } from 'zod'
import { PageQuery } from '../../domain/page.ts'
import {
  ChangeEndpoint,
  CreateEndpoint,
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  getEndpoint,
  listEndpoints,
  rotateSecret,
} from '../../domain/webhook/index.ts'
import { SUBSCRIPTIONS } from '../../outbox/events.ts'
import { type Operation, operation } from '../operation.ts'
import { pageAnswer } from '../paging.ts'
import { Id, IdParams, Pagination, Success, Time } from '../schemas.ts'

const endpointFields = {
  id: Id,
  url: z.string(),
  events: z.array(z.enum(SUBSCRIPTIONS)),
  description: z.string().nullable(),
  status: z.enum(['active', 'paused', 'disabled']).meta({
    description: '`paused`: events wait. `disabled`: nothing is kept for it until it is active.',
  }),
  disabledReason: z.enum(['gone', 'failing']).nullable().meta({
    description: '`gone`: it answered 410. `failing`: nothing has arrived for five days.',
  }),
  failingSince: Time.nullable().meta({ description: 'Since when every attempt has failed.' }),
  signing: z.enum(['hmac', 'ed25519']),
  publicKey: z
    .string()
    .nullable()
    .meta({
      description: 'Checks the `v1a` signatures of an Ed25519 endpoint; null for a shared secret.',
      examples: ['whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4='],
    }),
  previousSecretUntil: Time.nullable().meta({
    description: 'Until when the key before the last rotation signs too.',
  }),
  headers: z.array(z.string()).meta({
    description: 'The names of the further headers; what they hold is not shown.',
    examples: [['authorization']],
  }),
  ratePerMinute: z.int().nullable(),
  ordered: z.boolean(),
  createdAt: Time,
} as const

const Webhook = z.object(endpointFields).meta({ id: 'Webhook' })
const NewWebhook = z
  .object({
    ...endpointFields,
    secret: z
      .string()
      .nullable()
      .meta({
        description:
          'Checks the `v1` signatures (Standard Webhooks); shown this once. Null for an Ed25519 endpoint, whose private key is never shown: check with `publicKey`.',
        examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
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
    auth: 'verified',
    scope: 'webhooks:write',
    body: CreateEndpoint,
    examples: {
      minimal: { url: 'https://receiver.example/fundproof' },
      full: {
        url: 'https://receiver.example/fundproof',
        events: ['donation.completed', 'donation.reversed'],
        description: 'Bookkeeping',
        signing: 'ed25519',
        headers: { authorization: 'Bearer of-your-receiver' },
        ratePerMinute: 600,
        ordered: true,
      },
    },
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
    method: 'patch',
    path: '/api/webhooks/:id',
    operationId: 'changeWebhook',
    summary: 'Change, pause, resume or enable your endpoint.',
    tag: 'webhooks',
    auth: 'verified',
    scope: 'webhooks:write',
    params: IdParams,
    body: ChangeEndpoint,
    examples: {
      minimal: { status: 'paused' },
      full: {
        url: 'https://receiver.example/fundproof',
        events: ['*'],
        description: null,
        headers: { authorization: 'Bearer of-your-receiver' },
        ratePerMinute: null,
        ordered: false,
        status: 'active',
      },
    },
    answers: {
      200: {
        description: 'As it is now.',
        schema: z.object({ success: Success, webhook: Webhook }),
      },
    },
    errors: ['webhook_url_refused', 'forbidden'],
    handler: async ({ ctx, params, body }) => ({
      status: 200,
      body: { success: true, webhook: await changeEndpoint(ctx, params.id, body) },
    }),
  }),
  operation({
    method: 'post',
    path: '/api/webhooks/:id/rotate',
    operationId: 'rotateWebhookSecret',
    summary: 'A new secret or key pair; the old one signs too for 24 hours.',
    tag: 'webhooks',
    auth: 'verified',
    scope: 'webhooks:write',
    params: IdParams,
    answers: {
      200: {
        description: 'The endpoint, with its new secret.',
        schema: z.object({ success: Success, webhook: NewWebhook }),
      },
    },
    errors: ['forbidden'],
    handler: async ({ ctx, params }) => ({
      status: 200,
      body: { success: true, webhook: await rotateSecret(ctx, params.id) },
    }),
  }),
  operation({
    method: 'delete',
    path: '/api/webhooks/:id',
    operationId: 'deleteWebhook',
    summary: 'Remove an endpoint; what still waits for it is cancelled.',
    tag: 'webhooks',
    auth: 'verified',
    scope: 'webhooks:write',
    params: IdParams,
    answers: { 204: { description: 'Removed.' } },
    handler: async ({ ctx, params }) => {
      await deleteEndpoint(ctx, params.id)
      return { status: 204 }
    },
  }),
]
