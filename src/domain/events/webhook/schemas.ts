import { z } from 'zod'
import { ALL_EVENTS, SUBSCRIPTIONS, type Subscription } from '../../../outbox/events.ts'
import { headerProblem, MAX_HEADERS, MAX_URL_LENGTH } from '../../../webhooks/index.ts'

const Events = z
  .array(z.enum(SUBSCRIPTIONS))
  .min(1)
  .max(SUBSCRIPTIONS.length)
  .transform((types): Subscription[] =>
    types.includes(ALL_EVENTS) ? [ALL_EVENTS] : [...new Set(types)],
  )
  .meta({
    description: '`*` alone: every type, also types that later versions add.',
    examples: [['donation.completed']],
  })

/** Additional headers of each webhook request. The names are changed to lower case. */
const Headers = z
  .record(z.string(), z.string())
  .check(({ value, issues }) => {
    if (Object.keys(value).length > MAX_HEADERS) {
      issues.push({ code: 'custom', input: value, message: `at most ${MAX_HEADERS} headers` })
      return
    }
    const seen = new Set<string>()
    for (const [name, text] of Object.entries(value)) {
      const problem = headerProblem(name, text)
      const message = seen.has(name.toLowerCase()) ? 'is a duplicate' : problem
      seen.add(name.toLowerCase())
      if (message !== undefined) {
        // The error does not contain the header's value, because the value is often a secret.
        issues.push({ code: 'custom', input: name, path: [name.slice(0, 64)], message })
      }
    }
  })
  .transform((headers) =>
    Object.fromEntries(Object.entries(headers).map(([name, text]) => [name.toLowerCase(), text])),
  )
  .meta({
    description: `At most ${MAX_HEADERS} headers that are sent with every request. Their values are kept sealed and never shown.`,
    examples: [{ authorization: 'Bearer of-your-receiver' }],
  })

const Description = z.string().trim().max(200)

const RatePerMinute = z
  .int()
  .min(1)
  .max(60_000)
  .meta({
    description: 'At most this many attempts per minute. Further attempts wait.',
    examples: [600],
  })

export const CreateEndpoint = z.strictObject({
  url: z.string().min(1).max(MAX_URL_LENGTH),
  events: Events.optional(),
  description: Description.optional(),
  signing: z.enum(['hmac', 'ed25519']).optional(),
  headers: Headers.optional(),
  ratePerMinute: RatePerMinute.optional(),
  ordered: z
    .boolean()
    .meta({
      description:
        "One delivery of a campaign at a time, in the order of its events. A failed delivery delays the campaign's later deliveries.",
    })
    .optional(),
})
export type CreateEndpoint = z.output<typeof CreateEndpoint>

export const ChangeEndpoint = CreateEndpoint.omit({ signing: true })
  .extend({
    description: Description.nullable(),
    ratePerMinute: RatePerMinute.nullable(),
    status: z.enum(['active', 'paused']).meta({
      description:
        '`paused` lets events wait, for at most 90 days. `active` sends them, and enables a disabled endpoint.',
    }),
  })
  .partial()
export type ChangeEndpoint = z.output<typeof ChangeEndpoint>
