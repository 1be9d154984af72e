import { z } from 'zod'
import { ACCESS_TOKEN_TTL_S, type AccessTokens } from '../../../auth/access-tokens.ts'
import type { SessionView, UserView } from '../../../domain/account/index.ts'
import { Id } from '../../../edge/schemas.ts'

/** The tokens that a sign-in or a refresh returns. */
export const Tokens = z
  .object({
    accessToken: z.string(),
    refreshToken: z.string(),
    expires: z.int().meta({ description: 'Lifetime of the access token in seconds.' }),
  })
  .meta({ id: 'Tokens' })

export const Profile = z.record(z.string(), z.unknown())

export const User = z
  .object({
    id: Id,
    email: z
      .string()
      .nullable()
      .meta({ description: 'The email address; null if a wallet made the account.' }),
    username: z.string(),
    profile: Profile,
  })
  .meta({ id: 'User' })

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
