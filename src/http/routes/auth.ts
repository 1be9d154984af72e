import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import {
  authenticateUser,
  endSession,
  hashNewPassword,
  Login,
  openSession,
  RefreshSession,
  RegisterUser,
  RequestVerification,
  refreshSession,
  registerUser,
  requestVerification,
  verifyEmail,
} from '../../domain/user/index.ts'
import { DomainError } from '../../kernel/errors.ts'
import type { AppDeps } from '../deps.ts'
import { EXAMPLE_PASSWORD } from '../openapi/samples.ts'
import { type Operation, operation } from '../operation.ts'
import { Id, Success } from '../schemas.ts'
import { createIssue, Tokens, toUserBody, User } from './session-body.ts'

/** Longer than either road through `requestVerification` takes, so that its time tells nothing. */
const VERIFICATION_ANSWER_MS = 40

const Message = z.object({ success: Success, message: z.string() })

/** Sign-in: the rules are the user's verbs', the secrets `deps.credentials`'. */
export const authOperations = (deps: AppDeps): Operation[] => {
  const { credentials, tokens } = deps

  const issue = createIssue(tokens)

  return [
    operation({
      method: 'post',
      path: '/api/auth/register',
      operationId: 'register',
      summary: 'Make an account; a code to verify the address is mailed.',
      tag: 'auth',
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
      answers: {
        201: {
          description: 'The account.',
          schema: z.object({ success: Success, message: z.string(), userId: Id }),
        },
      },
      errors: ['email_taken', 'username_taken'],
      prepare: ({ body }) => hashNewPassword(credentials, body),
      handler: async ({ ctx, body }, passwordHash) => {
        const { password: _, ...user } = body
        const { userId } = await registerUser(ctx, credentials, { ...user, passwordHash })
        const message = 'Welcome. A code to verify your email address is on its way.'
        return { status: 201, body: { success: true, message, userId } }
      },
    }),
    operation({
      method: 'post',
      path: '/api/auth/login',
      operationId: 'login',
      summary: 'Sign in with an email address or user name and a password.',
      tag: 'auth',
      auth: 'none',
      body: Login,
      examples: { minimal: { username: 'ada', password: EXAMPLE_PASSWORD } },
      answers: {
        200: {
          description: 'Who signed in, and their tokens.',
          schema: z.object({ success: Success, user: User, tokens: Tokens }),
        },
      },
      errors: ['invalid_credentials'],
      attempt: ({ body: { username } }) => ({ secret: 'password', account: username }),
      prepare: ({ ctx, body }) => authenticateUser(ctx, credentials, body),
      handler: async ({ ctx, header }, authenticated) => {
        const session = await openSession(ctx, credentials, authenticated, header('user-agent'))
        return {
          status: 200,
          body: {
            success: true,
            user: toUserBody(session.user),
            tokens: await issue(session),
          },
        }
      },
    }),
    operation({
      method: 'post',
      path: '/api/auth/refresh',
      operationId: 'refresh',
      summary: 'Change a refresh token for new tokens. Each is good once.',
      tag: 'auth',
      auth: 'none',
      body: RefreshSession,
      examples: { minimal: { refreshToken: 'Zm9yIGFuIGV4YW1wbGUgb25seQ' } },
      answers: {
        200: {
          description: 'New tokens.',
          schema: z.object({ success: Success, tokens: Tokens }),
        },
      },
      errors: ['invalid_token', 'refresh_reused'],
      handler: async ({ ctx, body }) => {
        const session = await refreshSession(ctx, credentials, body.refreshToken)
        if (session === 'reused') {
          return new DomainError(
            'refresh_reused',
            'This refresh token was used before, so its session has been ended. Sign in again.',
          )
        }
        return { status: 200, body: { success: true, tokens: await issue(session) } }
      },
    }),
    operation({
      method: 'post',
      path: '/api/auth/logout',
      operationId: 'logout',
      summary: 'End the session of the access token.',
      tag: 'auth',
      auth: 'user',
      answers: {
        200: { description: 'The session has ended.', schema: z.object({ success: Success }) },
      },
      handler: async ({ ctx, caller }) => {
        if (caller?.sessionId) {
          await endSession(ctx, caller.sessionId)
          deps.revokedSessions.add([caller.sessionId])
        }
        return { status: 200, body: { success: true } }
      },
    }),
    operation({
      method: 'post',
      path: '/api/auth/request-verification',
      operationId: 'requestVerification',
      summary: 'Mail a code to an address, or verify the address with the code.',
      tag: 'auth',
      auth: 'none',
      body: RequestVerification,
      examples: {
        minimal: { email: 'ada@example.org' },
        full: { email: 'ada@example.org', code: '482913' },
      },
      answers: { 200: { description: 'Done.', schema: Message } },
      errors: ['invalid_code'],
      attempt: ({ body: { email, code } }) =>
        code === undefined ? undefined : { secret: 'code', account: email },
      handler: async ({ ctx, body: { email, code } }) => {
        if (code === undefined) {
          await Promise.all([
            requestVerification(ctx, credentials, email),
            delay(VERIFICATION_ANSWER_MS),
          ])
          const message = 'If this address waits to be verified, a code is on its way to it.'
          return { status: 200, body: { success: true, message } }
        }
        if (await verifyEmail(ctx, credentials, { email, code })) {
          const message = 'Your email address is verified.'
          return { status: 200, body: { success: true, message } }
        }
        return new DomainError(
          'invalid_code',
          'This code is wrong or no longer valid. Ask for a new one.',
        )
      },
    }),
  ]
}
