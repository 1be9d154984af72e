import { EVENT_TYPES, type EventType, eventData, STANDARD_EVENTS } from '../../outbox/events.ts'
import { EVENT_ENVELOPES } from '../event-schemas.ts'
import { exampleOf } from './example.ts'
import { type JsonSchema, toJsonSchema } from './json-schema.ts'
import { capital } from './naming.ts'
import { EXAMPLE_ID } from './samples.ts'

const SPECIFICATION = 'https://www.standardwebhooks.com'

/** Describes, for each event type, the request that a webhook endpoint receives. */
export const describeWebhooks = (
  components: Record<string, JsonSchema>,
): Record<string, JsonSchema> =>
  Object.fromEntries(EVENT_TYPES.map((type) => [type, { post: describe(type, components) }]))

const SENT_WHEN: Readonly<Record<EventType, string>> = {
  'donation.completed': 'A donation is final and credited.',
  'campaign.milestone.reached': 'The raised amount of a campaign reached a milestone.',
  'campaign.funded': 'The raised amount of a campaign reached its target.',
  'impact.verified': 'A milestone or an impact report was verified.',
  'user.verified':
    'A user verified their email address, or signed in with a wallet for the first time.',
  'donation.failed': 'The transaction of a donation did not pay the campaign.',
  'donation.reopened':
    'A reorg removed the block because of which a donation had failed. The donation waits again.',
  'donation.reversed':
    'A credit was reversed: by a reorg, or for the holder of the sending wallet.',
  'campaign.threshold.reverted': 'The raised amount fell below a milestone or target.',
  'milestone.released':
    'A milestone was released: by an escrow that paid its recipient, or else only in the ledger.',
  'milestone.release.reverted': 'A reorg reverted the release of a milestone by an escrow.',
  'campaign.surplus.released': 'An escrow paid what was above the milestones to its recipient.',
  'campaign.failed':
    'The escrow of a campaign failed. It pays refunds, and releases nothing. Not sent for a surplus.',
  'donation.refunded': 'An escrow paid a donation back, or a part of it.',
  'donation.refund.reverted': 'A reorg reverted the refund of a donation.',
  'reconciliation.difference':
    'Chain, ledger or a total contradict each other; for administrators.',
  'campaign.updated': 'A creator changed a campaign, or its last release completed it.',
  'deposit.unclaimed': 'A deposit has found no donor within its grace period.',
}

const describe = (type: EventType, components: Record<string, JsonSchema>): JsonSchema => {
  const schema = toJsonSchema(EVENT_ENVELOPES[type], 'output', components)
  return {
    operationId: `on${capital(type)}`,
    summary: SENT_WHEN[type],
    description: STANDARD_EVENTS.includes(type)
      ? 'Sent to every endpoint that names no events, and to endpoints that name this event.'
      : 'Sent to endpoints that name this event.',
    tags: ['events'],
    security: [],
    parameters: Object.keys(HEADERS).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema,
          examples: { example: { value: exampleOf(schema, components) } },
        },
      },
    },
    responses: {
      '2XX': {
        description: 'Accepted. Without a 2xx in 15 seconds the event is sent again.',
      },
      '410': { description: 'Gone: the endpoint is disabled.' },
    },
  }
}

/** Returns an example of the `data` of an event of this type. */
export const exampleEventData = (type: EventType): unknown => {
  const components = {}
  return exampleOf(toJsonSchema(eventData[type], 'output', components), components)
}

const HEADERS = {
  'webhook-id': {
    type: 'string',
    description: 'The same in every attempt. Use it to recognise a repeated event.',
    example: EXAMPLE_ID,
  },
  'webhook-timestamp': {
    type: 'string',
    pattern: '^\\d+$',
    description: 'The time of this attempt, in seconds since 1970.',
    example: '1769860800',
  },
  'webhook-signature': {
    type: 'string',
    description: `One or more signatures over \`id.timestamp.body\` as ${SPECIFICATION} says, apart by spaces: \`v1\` by HMAC-SHA256 with the endpoint's secret, or \`v1a\` by Ed25519 with its key pair. After a rotation both keys sign for 24 hours.`,
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  },
} as const

/** The headers of all webhooks, as shared parameters of the document. */
export const WEBHOOK_PARAMETERS: Record<string, JsonSchema> = Object.fromEntries(
  Object.entries(HEADERS).map(([name, { description, example, ...schema }]) => [
    name,
    { name, in: 'header', required: true, description, schema, example },
  ]),
)
