import type { AccessTokens } from '../../auth/access-tokens.ts'
import type { ApiKeys, KeyHolder } from '../../auth/api-keys.ts'
import type { RevokedSessions } from '../../auth/revoked-sessions.ts'
import type { Actor } from '../../kernel/actor.ts'
import { DomainError } from '../../kernel/errors.ts'
import type { ApiScope } from '../../kernel/scopes.ts'

/** The sender of a request, known by an access token or an API key. */
export type Caller = {
  readonly userId: string
  readonly roles: readonly string[]
  /** Whether the user is verified. A "false" from an access token may be out of date. */
  readonly verified: boolean
  /** The session of the access token; null if the request has only an API key. */
  readonly sessionId: string | null
  /** The API key; null if the request has an access token. */
  readonly key: { readonly id: string; readonly scopes: readonly string[] } | null
}

/** The parts that check tokens, sessions and API keys. */
export type Gatekeepers = {
  readonly tokens: AccessTokens
  readonly revokedSessions: RevokedSessions
  readonly apiKeys: ApiKeys
}

/** The scope that an operation requires of an API key; `session` means that no key is accepted. */
export type KeyScope = ApiScope | 'session'

/** The headers of a request, or a copy of these headers. Header names are in lower case. */
type CredentialHeaders = { header(name: string): string | undefined }

const BEARER = /^bearer +([\w.~+/=-]+)$/i
const ANONYMOUS: Actor = { kind: 'anonymous' }

/**
 * Returns the caller of a request, or null if the request has no credentials. If a request has a
 * token and a key, both the token and the key are checked, and the caller is the token's user.
 *
 * @throws DomainError `invalid_token` or `invalid_api_key` if the token or key is not valid;
 *   `unauthenticated` if `Authorization` has no token, or the token and key have different users
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

/** Returns a function that authenticates the caller again, from a copy of the credentials. */
export const authenticateLater = (
  gate: Gatekeepers,
  req: CredentialHeaders,
): (() => Promise<Caller | null>) => {
  const kept = new Map(CREDENTIALS.map((name) => [name, req.header(name)]))
  return async () => authenticate(gate, { header: (name) => kept.get(name) })
}

const CREDENTIALS = ['authorization', 'x-api-key']

/** Throws DomainError `forbidden` if the caller uses an API key that lacks the scope. */
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
  // An administrator's key has no administrator rights, unless it has the scope `admin`.
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
