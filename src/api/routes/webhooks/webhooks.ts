import { z } from 'zod'
import {
  ChangeEndpoint,
  CreateEndpoint,
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  getEndpoint,
  listEndpoints,
  rotateSecret,
} from '../../../domain/events/index.ts'
import { PageQuery } from '../../../domain/shared/index.ts'
import { pageAnswer, pageOf, succeed, success } from '../../../edge/answer/answers.ts'
import { route } from '../../../edge/route.ts'
import { component, Id, Time } from '../../../edge/schemas.ts'
import { SUBSCRIPTIONS } from '../../../outbox/events.ts'

const endpointFields = {
  id: Id,
  url: z.string(),
  events: z.array(z.enum(SUBSCRIPTIONS)),
  description: z.string().nullable(),
  status: z
    .enum(['active', 'paused', 'disabled'])
    .describe('`paused`: events wait. `disabled`: new events do not wait for the endpoint.'),
  disabledReason: z.enum(['gone', 'failing']).nullable().meta({
    description:
      '`gone`: the endpoint answered 410. `failing`: every attempt of five days has failed.',
  }),
  failingSince: Time.nullable().describe('Every attempt since this time has failed.'),
  signing: z.enum(['hmac', 'ed25519']),
  publicKey: z
    .string()
    .nullable()
    .meta({
      description:
        'The key that checks the `v1a` signatures of an Ed25519 endpoint; null for a shared secret.',
      examples: ['whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4='],
    }),
  previousSecretUntil: Time.nullable().describe('The time until which the previous key signs too.'),
  headers: z.array(z.string()).meta({
    description: 'The names of the further headers. Their values are not shown.',
    examples: [['authorization']],
  }),
  ratePerMinute: z.int().nullable(),
  ordered: z.boolean(),
  createdAt: Time,
} as const

const Webhook = component('Webhook', endpointFields)
const NewWebhook = component('NewWebhook', {
  ...endpointFields,
  secret: z
    .string()
    .nullable()
    .meta({
      description:
        'The key that checks the `v1` signatures (Standard Webhooks). Only this answer shows the key. Null for an Ed25519 endpoint, whose private key is never shown: check with `publicKey`.',
      examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    }),
})

export const webhookOperations = () => [
  route.post('/api/webhooks', {
    operationId: 'createWebhook',
    summary: 'Register an endpoint for events.',
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
    answers: { 201: success('The endpoint, with its secret.', { webhook: NewWebhook }) },
    errors: ['webhook_url_refused', 'webhook_limit_reached'],
    handler: async ({ ctx, body }) => {
      const webhook = await createEndpoint(ctx, body)
      return succeed({ webhook }, { location: `/api/webhooks/${webhook.id}` })
    },
  }),
  route.get('/api/webhooks', {
    operationId: 'listWebhooks',
    summary: 'Your endpoints, newest first.',
    auth: 'user',
    query: PageQuery,
    answers: { 200: pageOf('webhooks', Webhook) },
    handler: async ({ ctx, query, url }) =>
      pageAnswer('webhooks', await listEndpoints(ctx, query), url),
  }),
  route.get('/api/webhooks/:id', {
    operationId: 'getWebhook',
    summary: 'One of your endpoints.',
    auth: 'user',
    answers: { 200: { description: 'The endpoint.', schema: Webhook } },
    handler: async ({ ctx, params }) => ({ body: await getEndpoint(ctx, params.id) }),
  }),
  route.patch('/api/webhooks/:id', {
    operationId: 'changeWebhook',
    summary: 'Change, pause, resume or enable your endpoint.',
    auth: 'verified',
    scope: 'webhooks:write',
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
    answers: { 200: success('The changed endpoint.', { webhook: Webhook }) },
    errors: ['webhook_url_refused'],
    handler: async ({ ctx, params, body }) =>
      succeed({ webhook: await changeEndpoint(ctx, params.id, body) }),
  }),
  route.post('/api/webhooks/:id/rotate', {
    operationId: 'rotateWebhookSecret',
    summary: 'Make a new secret or key pair. The old key signs too for 24 hours.',
    auth: 'verified',
    scope: 'webhooks:write',
    answers: { 200: success('The endpoint, with its new secret.', { webhook: NewWebhook }) },
    handler: async ({ ctx, params }) => succeed({ webhook: await rotateSecret(ctx, params.id) }),
  }),
  route.delete('/api/webhooks/:id', {
    operationId: 'deleteWebhook',
    summary: 'Remove an endpoint. Its waiting deliveries are cancelled.',
    auth: 'verified',
    scope: 'webhooks:write',
    answers: { 204: { description: 'Removed.' } },
    handler: ({ ctx, params }) => deleteEndpoint(ctx, params.id),
  }),
]
