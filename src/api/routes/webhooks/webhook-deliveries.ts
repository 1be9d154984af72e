import { z } from 'zod'
import {
  getDelivery,
  ListDeliveries,
  listDeliveries,
  ReplayDeliveries,
  replayDeliveries,
  resendDelivery,
  sendTest,
} from '../../../domain/events/index.ts'
import { pageAnswer, pageOf, succeed, success } from '../../../edge/answer/answers.ts'
import { route } from '../../../edge/route.ts'
import { component, Id, Time } from '../../../edge/schemas.ts'
import { DELIVERY_STATUSES } from '../../../kernel/statuses.ts'
import { EVENT_TYPES } from '../../../outbox/events.ts'
import { DELIVERY_ERROR_KINDS } from '../../../webhooks/delivery-error.ts'
import { EXAMPLE_CURSOR, EXAMPLE_TIME } from '../../openapi/samples.ts'
import { exampleEventData } from '../../openapi/webhooks.ts'

const deliveryFields = {
  id: Id,
  eventId: Id.describe('The `webhook-id` that the receiver gets.'),
  event: z.enum(EVENT_TYPES),
  campaignId: Id.nullable(),
  test: z.boolean(),
  status: z.enum(DELIVERY_STATUSES),
  attempts: z.int(),
  nextAttemptAt: Time.nullable(),
  deliveredAt: Time.nullable(),
  createdAt: Time,
} as const

const Delivery = component('WebhookDelivery', deliveryFields)

const Attempt = component('WebhookAttempt', {
  number: z.int(),
  startedAt: Time,
  durationMs: z.int(),
  statusCode: z.int().nullable().describe('The status code of the answer; null if no answer came.'),
  errorKind: z.enum(DELIVERY_ERROR_KINDS).nullable().meta({
    description: 'The reason of the failure; null if the receiver accepted the delivery.',
  }),
  responseBody: z.string().nullable().describe('The beginning of the answer.'),
})

const DeliveryWithAttempts = z
  .object({ ...deliveryFields, attemptLog: z.array(Attempt) })
  .meta({ id: 'WebhookDeliveryWithAttempts' })

const Replay = component('WebhookReplay', {
  dryRun: z.boolean(),
  deliveries: z.int().describe('The number of deliveries that match.'),
  undelivered: z.int().describe('The number of events that match and never had a delivery.'),
  replayed: z.int().describe('The number of deliveries that this call made due, at most 10 000.'),
  remaining: z.int().describe('The number of deliveries that are left for further calls.'),
  nextCursor: z.string().nullable(),
})

const TestInput = z.strictObject({
  event: z
    .enum(EVENT_TYPES)
    .optional()
    .describe("The event's type. Default: the first type of the endpoint."),
})

export const webhookDeliveryOperations = () => [...reading(), resending(), replaying(), testing()]

const reading = () => [
  route.get('/api/webhooks/:id/deliveries', {
    operationId: 'listWebhookDeliveries',
    summary: 'Deliveries to your endpoint, sent and waiting, newest first.',
    auth: 'user',
    query: ListDeliveries,
    answers: { 200: pageOf('deliveries', Delivery, 'One page. `total` stops at 10 000.') },
    handler: async ({ ctx, params, query, url }) =>
      pageAnswer('deliveries', await listDeliveries(ctx, params.id, query), url),
  }),
  route.get('/api/webhooks/:id/deliveries/:deliveryId', {
    operationId: 'getWebhookDelivery',
    summary: "One delivery, with every attempt and the receiver's answers.",
    auth: 'user',
    answers: { 200: { description: 'The delivery.', schema: DeliveryWithAttempts } },
    handler: async ({ ctx, params }) => ({
      body: await getDelivery(ctx, params.id, params.deliveryId),
    }),
  }),
]

const resending = () =>
  route.post('/api/webhooks/:id/deliveries/:deliveryId/resend', {
    operationId: 'resendWebhookDelivery',
    summary: 'Send a delivery again, delivered or not: at once, with all retries.',
    auth: 'verified',
    scope: 'webhooks:write',
    answers: {
      202: success('The delivery is due. A paused endpoint gets it when it is active again.', {
        delivery: Delivery,
      }),
    },
    errors: ['conflict'],
    handler: async ({ ctx, params: { id, deliveryId } }) =>
      succeed(
        { delivery: await resendDelivery(ctx, id, deliveryId) },
        { location: `/api/webhooks/${id}/deliveries/${deliveryId}` },
      ),
  })

const replaying = () =>
  route.post('/api/webhooks/:id/replay', {
    operationId: 'replayWebhook',
    summary: 'Send failed deliveries of events since a time again, or only count them.',
    auth: 'verified',
    scope: 'webhooks:write',
    body: ReplayDeliveries,
    examples: {
      minimal: { since: EXAMPLE_TIME },
      full: {
        since: EXAMPLE_TIME,
        until: '2026-02-28T12:00:00.000Z',
        events: ['donation.completed'],
        status: ['exhausted', 'cancelled', 'delivered'],
        includeUndelivered: true,
        dryRun: true,
        cursor: EXAMPLE_CURSOR,
      },
    },
    answers: {
      200: success('The count, of a dry run.', { replay: Replay }),
      202: success('Deliveries are due. If more remain, repeat with `nextCursor`.', {
        replay: Replay,
      }),
    },
    errors: ['conflict', 'invalid_cursor'],
    handler: async ({ ctx, params, body }) =>
      succeed(
        { replay: await replayDeliveries(ctx, params.id, body) },
        { status: body.dryRun ? 200 : 202 },
      ),
  })

const testing = () =>
  route.post('/api/webhooks/:id/test', {
    operationId: 'testWebhook',
    summary: 'Send your endpoint an event that never happened, marked `test: true`.',
    auth: 'verified',
    scope: 'webhooks:write',
    body: TestInput,
    examples: { minimal: {}, full: { event: 'donation.completed' } },
    answers: {
      202: success("The event is due. Its delivery has the receiver's answer.", {
        test: z.object({
          eventId: Id,
          event: z.enum(EVENT_TYPES),
          created: Time,
          deliveryId: Id,
        }),
      }),
    },
    errors: ['conflict'],
    handler: async ({ ctx, params, body }) => {
      const test = await sendTest(ctx, params.id, { event: body.event, sampleOf: exampleEventData })
      return succeed(
        { test },
        { location: `/api/webhooks/${params.id}/deliveries/${test.deliveryId}` },
      )
    },
  })
