import { z } from 'zod'
import {
  authenticateUser,
  endSession,
  findAccount,
  hashNewPassword,
  Login,
  openSession,
  RefreshSession,
  RegisterUser,
  RequestVerification,
  refreshSession,
  registerUser,
  requestCode,
  verifyEmail,
} from '../../../domain/account/index.ts'
import { succeed, success } from '../../../edge/answer/answers.ts'
import type { AppDeps } from '../../../edge/deps.ts'
import { wrongCode } from '../../../edge/request/account-secret.ts'
import { route } from '../../../edge/route.ts'
import { Id } from '../../../edge/schemas.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { EXAMPLE_PASSWORD } from '../../openapi/samples.ts'
import { createIssue, Tokens, toUserBody, User } from './session-body.ts'

/** Operations to register, to sign in, to sign out, and to verify a mail address. */
export const authOperations = (deps: AppDeps) => {
  const { credentials, tokens } = deps

  const issue = createIssue(tokens)

  return [
    route.post('/api/auth/register', {
      operationId: 'register',
      summary: 'Register an account. A code to verify the address is mailed.',
      auth: 'none',
      body: RegisterUser,
      examples: {
        minimal: { email: 'ada@example.org', username: 'ada', password: EXAMPLE_PASSWORD },
        full: {
          email: 'ada@example.org',
          username: 'ada',
          password: EXAMPLE_PASSWORD,
          firstName: 'Ada',
          lastName: 'Lovelace',
          lang: 'en',
          profile: { city: 'Nairobi' },
        },
      },
      answers: { 201: success('The account.', { message: z.string(), userId: Id }) },
      errors: ['email_taken', 'username_taken'],
      prepare: ({ body }) => hashNewPassword(credentials, body),
      handler: async ({ ctx, body, countNew }, passwordHash) => {
        const { password: _, ...user } = body
        const input = { ...user, passwordHash }
        const { userId } = await registerUser(ctx, credentials, input, countNew)
        const message = 'Welcome. A code to verify your email address is on its way.'
        return succeed({ message, userId })
      },
    }),
    route.post('/api/auth/login', {
      operationId: 'login',
      summary: 'Sign in with an email address or user name and a password.',
      auth: 'none',
      body: Login,
      examples: { minimal: { username: 'ada', password: EXAMPLE_PASSWORD } },
      answers: { 200: success('The user and the tokens.', { user: User, tokens: Tokens }) },
      errors: ['invalid_credentials'],
      attempt: async ({ ctx, body: { username } }) => {
        const owner = (await findAccount(ctx, username))?.id
        return { secret: 'password', account: username, owner }
      },
      prepare: ({ ctx, body, isSpent }) => authenticateUser(ctx, credentials, body, isSpent),
      handler: async ({ ctx, header }, authenticated) => {
        const client = { kind: 'api', userAgent: header('user-agent') } as const
        const session = await openSession(ctx, credentials, authenticated, client)
        return succeed({ user: toUserBody(session.user), tokens: await issue(session) })
      },
    }),
    route.post('/api/auth/refresh', {
      operationId: 'refresh',
      summary: 'Exchange a refresh token for new tokens. A refresh token works once.',
      auth: 'none',
      body: RefreshSession,
      examples: { minimal: { refreshToken: 'Zm9yIGFuIGV4YW1wbGUgb25seQ' } },
      answers: { 200: success('New tokens.', { tokens: Tokens }) },
      errors: ['invalid_token', 'refresh_reused'],
      handler: async ({ ctx, body }) => {
        const session = await refreshSession(ctx, credentials, body.refreshToken)
        if (session === 'reused') {
          return new DomainError(
            'refresh_reused',
            'This refresh token was used before, so its session has been ended. Sign in again.',
          )
        }
        return succeed({ tokens: await issue(session) })
      },
    }),
    route.post('/api/auth/logout', {
      operationId: 'logout',
      summary: 'End the session of the access token.',
      auth: 'user',
      answers: { 200: success('The session has ended.', {}) },
      handler: async ({ ctx, caller }) => {
        if (caller?.sessionId) {
          await endSession(ctx, caller.sessionId)
          deps.revokedSessions.add([caller.sessionId])
        }
        return succeed({})
      },
    }),
    route.post('/api/auth/request-verification', {
      operationId: 'requestVerification',
      summary: 'Mail a code to an address, or verify the address with the code.',
      auth: 'none',
      body: RequestVerification,
      examples: {
        minimal: { email: 'ada@example.org' },
        full: { email: 'ada@example.org', code: '482913' },
      },
      answers: { 200: success('Done.', { message: z.string() }) },
      errors: ['invalid_code'],
      attempt: ({ body: { email, code } }) =>
        code === undefined ? undefined : { secret: 'code', account: email },
      handler: async ({ ctx, body: { email, code } }) => {
        if (code === undefined) {
          await requestCode(ctx, credentials, 'verify_email', email)
          const message = 'If this address waits to be verified, a code is on its way to it.'
          return succeed({ message })
        }
        if (await verifyEmail(ctx, credentials, { email, code })) {
          return succeed({ message: 'Your email address is verified.' })
        }
        return wrongCode()
      },
    }),
  ]
}
