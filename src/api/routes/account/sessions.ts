import { z } from 'zod'
import { endOtherSessions, endSession, listSessions } from '../../../domain/account/index.ts'
import { PageQuery } from '../../../domain/shared/index.ts'
import { pageAnswer, pageOf } from '../../../edge/answer/answers.ts'
import type { AppDeps } from '../../../edge/deps.ts'
import { route } from '../../../edge/route.ts'
import { component, Id, Time } from '../../../edge/schemas.ts'
import { DomainError } from '../../../kernel/errors.ts'

const Session = component('Session', {
  id: Id,
  createdAt: Time,
  lastUsedAt: Time.describe('The last time at which the session got tokens.'),
  expiresAt: Time,
  userAgent: z
    .string()
    .nullable()
    .describe('The program that signed in, by the name that it gives itself.'),
  current: z.boolean().describe('Whether this request uses the session.'),
})

/** Operations on the caller's sessions. The caller need not be verified. */
export const sessionOperations = ({ revokedSessions }: AppDeps) => [
  route.get('/api/auth/sessions', {
    operationId: 'listSessions',
    summary: 'Your open sessions, newest first.',
    auth: 'user',
    scope: 'session',
    query: PageQuery,
    answers: { 200: pageOf('sessions', Session) },
    handler: async ({ ctx, query, url }) =>
      pageAnswer('sessions', await listSessions(ctx, query), url),
  }),
  route.delete('/api/auth/sessions/:id', {
    operationId: 'endSession',
    summary: 'End one of your sessions. Its tokens are refused everywhere within three seconds.',
    auth: 'user',
    answers: { 204: { description: 'Ended.' } },
    handler: async ({ ctx, params: { id } }) => {
      const ended = await endSession(ctx, id)
      if (!ended) throw new DomainError('not_found', 'There is no such session.')
      revokedSessions.add([id])
    },
  }),
  route.delete('/api/auth/sessions', {
    operationId: 'endOtherSessions',
    summary: 'End all your sessions except the session of this request.',
    auth: 'user',
    answers: { 204: { description: 'Ended.' } },
    handler: async ({ ctx }) => {
      revokedSessions.add(await endOtherSessions(ctx))
    },
  }),
]
