import { z } from 'zod'
import type { Context } from '../../../db/context.ts'
import {
  BEGINNING,
  decodePosition,
  EventFilter,
  encodePosition,
  feedHorizon,
  knownPosition,
  positionBefore,
  readFeed,
  startOf,
} from '../../../domain/events/index.ts'
import { MAX_PAGE_SIZE, Moment } from '../../../domain/shared/index.ts'
import { succeed, success } from '../../../edge/answer/answers.ts'
import type { AppDeps } from '../../../edge/deps.ts'
import { actorOf } from '../../../edge/request/authenticate.ts'
import { route } from '../../../edge/route.ts'
import { isAdmin } from '../../../kernel/actor.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { FundproofEvent } from '../../event-schemas.ts'
import { EXAMPLE_ID } from '../../openapi/samples.ts'

const Cursor = z.string().min(1).max(100)

const FeedQuery = z.strictObject({
  ...EventFilter.shape,
  after: Cursor.optional().describe('A cursor of this feed or of the stream.'),
  from: z
    .union([z.literal('now'), Moment])
    .optional()
    .meta({
      description:
        'A time: older events are left out. `now`, only without `after`: all events until now are left out.',
    }),
  limit: z.coerce.number().int().min(1).max(MAX_PAGE_SIZE).default(MAX_PAGE_SIZE),
})

const StreamQuery = z.strictObject({
  ...EventFilter.shape,
  after: Cursor.optional().meta({
    description: 'The position to continue from. The header `Last-Event-ID` takes precedence.',
  }),
})

const STREAM_EXAMPLE = [
  'id: NzUxLjE5',
  'event: user.verified',
  `data: {"id":"${EXAMPLE_ID}","event":"user.verified","created":"2026-01-31T12:00:00.000Z","data":{…}}`,
  '',
  '',
].join('\n')

export const eventOperations = (deps: AppDeps) => [feed(), stream(deps)]

const feed = () =>
  route.get('/api/events', {
    operationId: 'listEvents',
    summary: 'Your events, oldest first, in the form in which webhooks get them.',
    auth: 'user',
    query: FeedQuery,
    answers: {
      200: success(
        'At most `limit` events, and about 800 kB. Read on with `after=<nextCursor>`: at once while `hasMore`, otherwise at any time. No event is skipped, also if it was written late.',
        {
          events: z.array(FundproofEvent),
          nextCursor: z
            .string()
            .describe('The position after this page, also if it is empty. It never expires.'),
          hasMore: z.boolean(),
        },
      ),
    },
    errors: ['invalid_cursor'],
    handler: async ({ ctx, query }) => {
      const { after, from, limit, ...filter } = query
      if (after === undefined && from === 'now') {
        const nextCursor = encodePosition(startOf(await feedHorizon(ctx)))
        return succeed({ events: [], nextCursor, hasMore: false })
      }
      const since = from === 'now' ? undefined : from
      const place = after === undefined ? await beginningOf(ctx, since) : decodePosition(after)
      const page = await readFeed(ctx, { after: place, filter, since, limit })
      // The stored JSON of each event is sent unchanged, because webhooks sign the same text.
      const events = page.items.map(({ body }) => body).join(',')
      const nextCursor = JSON.stringify(encodePosition(page.next))
      return {
        json: `{"success":true,"events":[${events}],"nextCursor":${nextCursor},"hasMore":${page.hasMore}}`,
      }
    },
  })

const beginningOf = (ctx: Context, since: Date | undefined) =>
  since ? positionBefore(ctx, since) : BEGINNING

const stream = ({ streams }: AppDeps) =>
  route.get('/api/events/stream', {
    operationId: 'streamEvents',
    summary: 'The same events as server-sent events, while they happen.',
    auth: 'verified',
    query: StreamQuery,
    answers: {
      200: {
        description:
          'Events from now on, or from a cursor. Each `id` is a cursor, and each `event` the type. Comments keep the connection alive. The stream ends when the token or key ends; continue with `Last-Event-ID`.',
        otherTypes: { 'text/event-stream': STREAM_EXAMPLE },
      },
    },
    errors: ['invalid_cursor', 'too_many_streams'],
    handler: async ({ ctx, caller, query, address, header, authenticateAgain }) => {
      if (!caller) throw new DomainError('unauthenticated', 'Sign in first.')
      const { after: asked, ...filter } = query
      const cursor = header('last-event-id') || asked
      // Reads the start position before the answer begins, so that no later event is missed.
      const after =
        cursor === undefined
          ? startOf(await feedHorizon(ctx))
          : await knownPosition(ctx, decodePosition(cursor))
      const source = streams.prepare(
        { userId: caller.userId, address },
        {
          ctx,
          filter,
          after,
          check: async () => {
            const now = actorOf(await authenticateAgain())
            if (isAdmin(now) !== isAdmin(ctx.actor)) {
              throw new DomainError('forbidden', 'The roles of the caller have changed.')
            }
          },
        },
      )
      return {
        stream: { type: 'text/event-stream', source },
        // The headers keep proxies such as nginx from buffering the stream.
        headers: { 'Cache-Control': 'no-store, no-transform', 'X-Accel-Buffering': 'no' },
      }
    },
  })
