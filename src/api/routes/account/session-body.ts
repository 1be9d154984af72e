import { z } from 'zod'
import { ACCESS_TOKEN_TTL_S, type AccessTokens } from '../../../auth/access-tokens.ts'
import type { SessionView, UserView } from '../../../domain/account/index.ts'
import { component, Id } from '../../../edge/schemas.ts'

/** The tokens that a sign-in or a refresh returns. */
export const Tokens = component('Tokens', {
  accessToken: z.string(),
  refreshToken: z.string(),
  expires: z.int().describe('Lifetime of the access token in seconds.'),
})

export const Profile = z.record(z.string(), z.unknown())

export const User = component('User', {
  id: Id,
  email: z.string().nullable().describe('The email address; null if a wallet made the account.'),
  username: z.string(),
  profile: Profile,
})

export const toUserBody = ({ id, email, username, profile }: UserView) => ({
  id,
  email,
  username,
  profile,
})

/** Returns a function that makes the tokens of a new or refreshed session. */
export const createIssue =
  (tokens: AccessTokens) =>
  async ({ sessionId, token, user }: SessionView): Promise<z.output<typeof Tokens>> => ({
    accessToken: await tokens.issue({
      userId: user.id,
      sessionId,
      roles: user.roles,
      verified: user.verified,
    }),
    refreshToken: token,
    expires: ACCESS_TOKEN_TTL_S,
  })
