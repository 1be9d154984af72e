import type { AccessTokens } from '../../auth/access-tokens.ts'
import type { ApiKeys, KeyHolder } from '../../auth/api-keys.ts'
import type { RevokedSessions } from '../../auth/revoked-sessions.ts'
import type { Actor } from '../../kernel/actor.ts'
import { DomainError } from '../../kernel/errors.ts'
import type { ApiScope } from '../../kernel/scopes.ts'

/** Who sent a request, by an access token or by an API key. */
export type Caller = {
  readonly userId: string
  readonly roles: readonly string[]
  /** True stays true; with a token, false may be out of date. */
  readonly verified: boolean
  /** Null for a key. */
  readonly sessionId: string | null
  /** Null for a session. */
  readonly key: { readonly id: string; readonly scopes: readonly string[] } | null
}

/** What authentication needs; part of the application's dependencies. */
export type Gatekeepers = {
  readonly tokens: AccessTokens
  readonly revokedSessions: RevokedSessions
  readonly apiKeys: ApiKeys
}

/**
 * What an operation asks of a key: a scope, or `session` where no key will do. Left out, reading
 * asks for `read` and everything else for a session: a new operation is closed to keys until it
 * says so.
 */
export type KeyScope = ApiScope | 'session'

/** Of a request, or of what was kept of it. Names in lower case. */
type CredentialHeaders = { header(name: string): string | undefined }

const BEARER = /^bearer +([\w.~+/=-]+)$/i
const ANONYMOUS: Actor = { kind: 'anonymous' }

/**
 * The caller of a request; null without credentials. A token counts more than a key beside it,
 * which must be good too, and of the same user.
 *
 * @throws DomainError `unauthenticated`, `invalid_token`, `invalid_api_key`
 */
export const authenticate = (
  gatekeepers: Gatekeepers,
  req: CredentialHeaders,
): Caller | null | Promise<Caller> => {
  const authorization = req.header('authorization')
  const key = req.header('x-api-key')
  if (authorization === undefined) return key === undefined ? null : byKey(gatekeepers, key)
  return key === undefined
    ? byToken(gatekeepers, authorization)
    : byBoth(gatekeepers, authorization, key)
}

const byKey = ({ apiKeys }: Gatekeepers, key: string): Caller | Promise<Caller> => {
  const holder = apiKeys.verify(key)
  return holder instanceof Promise ? holder.then(callerOfKey) : callerOfKey(holder)
}

const byToken = (
  { tokens, revokedSessions }: Gatekeepers,
  authorization: string,
): Caller | Promise<Caller> => {
  const token = BEARER.exec(authorization)?.[1]
  if (token === undefined) {
    throw new DomainError('unauthenticated', 'Send Authorization: Bearer <access token>.')
  }
  const toCaller = (claims: Awaited<ReturnType<AccessTokens['verify']>>): Caller => {
    if (revokedSessions.has(claims.sessionId)) {
      throw new DomainError('invalid_token', 'The session of this access token has ended.')
    }
    const { userId, roles, verified, sessionId } = claims
    return { userId, roles, verified, sessionId, key: null }
  }
  const claims = tokens.verify(token)
  return claims instanceof Promise ? claims.then(toCaller) : toCaller(claims)
}

const byBoth = async (
  gatekeepers: Gatekeepers,
  authorization: string,
  key: string,
): Promise<Caller> => {
  const caller = await byToken(gatekeepers, authorization)
  const holder = await byKey(gatekeepers, key)
  if (caller.userId === holder.userId) return caller
  throw new DomainError(
    'unauthenticated',
    'The token and the API key belong to different users: send only one of them.',
  )
}

/** `authenticate` for later: keeps the two headers, not the request. */
export const authenticateLater = (
  gate: Gatekeepers,
  req: CredentialHeaders,
): (() => Promise<Caller | null>) => {
  const kept = new Map(CREDENTIALS.map((name) => [name, req.header(name)]))
  return async () => authenticate(gate, { header: (name) => kept.get(name) })
}

const CREDENTIALS = ['authorization', 'x-api-key']

/** Throws DomainError `forbidden` where the caller is a key without the scope. */
export const requireScope = (caller: Caller, scope: KeyScope): void => {
  if (caller.key === null) return
  if (scope === 'session') {
    throw new DomainError('forbidden', 'An API key cannot do this: sign in.')
  }
  if (caller.key.scopes.includes(scope)) return
  throw new DomainError('forbidden', `This API key does not have the scope ${scope}.`)
}

export const actorOf = (caller: Caller | null): Actor => {
  if (caller === null) return ANONYMOUS
  const { userId, roles, sessionId, key } = caller
  if (key === null) return { kind: 'user', userId, roles, sessionId }
  // An administrator's key is an ordinary one, unless it was made to be more.
  const allowed = key.scopes.includes('admin') ? roles : roles.filter((role) => role !== 'admin')
  return { kind: 'user', userId, roles: allowed, scopes: key.scopes, keyId: key.id }
}

const callerOfKey = (holder: KeyHolder): Caller => ({
  userId: holder.userId,
  roles: holder.roles,
  verified: holder.verified,
  sessionId: null,
  key: { id: holder.keyId, scopes: holder.scopes },
})
