import type { AccessClaims, AccessTokens } from '../auth/access-tokens.ts'
import type { Actor } from '../kernel/actor.ts'
import { DomainError } from '../kernel/errors.ts'

const BEARER = /^bearer +([\w.~+/=-]+)$/i
export const ANONYMOUS: Actor = { kind: 'anonymous' }

/**
 * Whom the `Authorization` header speaks for; null without one.
 *
 * @throws DomainError `unauthenticated` for another scheme, `invalid_token`
 */
export const authenticate = (
  tokens: AccessTokens,
  header: string | undefined,
): AccessClaims | null | Promise<AccessClaims> => {
  if (header === undefined) return null
  const token = BEARER.exec(header)?.[1]
  if (token === undefined) {
    throw new DomainError('unauthenticated', 'Send Authorization: Bearer <access token>.')
  }
  return tokens.verify(token)
}

export const actorOf = (session: AccessClaims | null): Actor =>
  session ? { kind: 'user', userId: session.userId, roles: session.roles } : ANONYMOUS
