import { z } from 'zod'
import { EVENT_TYPES, type EventType, eventData, STANDARD_EVENTS } from '../../outbox/events.ts'
import { type JsonSchema, toJsonSchema } from '../json-schema.ts'
import { EXAMPLE_ID, exampleOf } from './example.ts'

const SPECIFICATION = 'https://www.standardwebhooks.com'

/** The `webhooks` section: every event as the request that an endpoint gets. */
export const describeWebhooks = (
  components: Record<string, JsonSchema>,
): Record<string, JsonSchema> =>
  Object.fromEntries(EVENT_TYPES.map((type) => [type, { post: describe(type, components) }]))

const describe = (type: EventType, components: Record<string, JsonSchema>): JsonSchema => {
  const envelope = z.object({
    id: z.uuid().meta({ description: 'Of the event; the same as the header `webhook-id`.' }),
    event: z.literal(type),
    created: z.iso.datetime({ precision: 3 }),
    data: eventData[type],
  })
  const schema = toJsonSchema(envelope, 'output', components)
  return {
    operationId: `on_${type.replaceAll('.', '_')}`,
    summary: `${type} happened.`,
    description: STANDARD_EVENTS.includes(type)
      ? 'Sent to every endpoint that names no events, and to those that name it.'
      : 'Sent to the endpoints that name it.',
    tags: ['events'],
    security: [],
    parameters: Object.entries(HEADERS).map(([name, { description, example, ...schema }]) => ({
      name,
      in: 'header',
      required: true,
      description,
      schema,
      example,
    })),
    requestBody: {
      required: true,
      content: { 'application/json': { schema, example: exampleOf(schema, components) } },
    },
    responses: {
      '2XX': { description: 'Taken. Any other answer, or none in 15 seconds, is tried again.' },
      '410': { description: 'Gone: the endpoint is disabled.' },
    },
  }
}

/** What an event of this type carries, as an example. */
export const exampleEventData = (type: EventType): unknown =>
  exampleOf(toJsonSchema(eventData[type], 'output', {}), {})

const HEADERS = {
  'webhook-id': {
    type: 'string',
    description: 'The same in every attempt: what to tell a repetition by.',
    example: EXAMPLE_ID,
  },
  'webhook-timestamp': {
    type: 'string',
    pattern: '^\\d+$',
    description: 'When this attempt was made, in seconds since 1970.',
    example: '1769860800',
  },
  'webhook-signature': {
    type: 'string',
    description: `HMAC-SHA256 over \`id.timestamp.body\` as ${SPECIFICATION} says, one or more, apart by spaces.`,
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  },
} as const
