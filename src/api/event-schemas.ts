import { z } from 'zod'
import { Time } from '../edge/schemas.ts'
import { EVENT_TYPES, type EventType, eventData } from '../outbox/events.ts'
import { capital } from './openapi/naming.ts'

/** The schema of an event of this type in the feed, the stream and webhooks. */
const envelopeOf = (type: EventType) =>
  z
    .object({
      id: z.uuid().describe('The id of the event, also in the header `webhook-id`.'),
      event: z.literal(type),
      created: Time,
      data: eventData[type],
    })
    .meta({ id: `${capital(type)}Event` })

type Envelope = ReturnType<typeof envelopeOf>

export const EVENT_ENVELOPES = Object.fromEntries(
  EVENT_TYPES.map((type) => [type, envelopeOf(type)]),
) as Readonly<Record<EventType, Envelope>>

/** Names the schema for each value of `event`, because generated clients need this mapping. */
const MAPPING = Object.fromEntries(
  EVENT_TYPES.map((type) => [type, `#/components/schemas/${capital(type)}Event`]),
)

/** An event of any type. The field `event` is the type. */
export const FundproofEvent = z
  .discriminatedUnion('event', Object.values(EVENT_ENVELOPES) as [Envelope, ...Envelope[]])
  .meta({
    id: 'FundproofEvent',
    discriminator: { propertyName: 'event', mapping: MAPPING },
    description:
      'Later versions may add types: skip unknown types. Events of an earlier version are kept as they were sent, and may lack fields.',
  })
