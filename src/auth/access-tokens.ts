import { randomUUID } from 'node:crypto'
import { errors, jwtVerify, SignJWT } from 'jose'
import { DomainError } from '../kernel/errors.ts'
import { isId } from '../kernel/formats/ids.ts'
import { createLru } from '../kernel/lru.ts'
import type { Clock } from '../kernel/ports/clock.ts'
import { createKeyRing, type JwkSet, type SigningKey } from './signing-keys.ts'

/** The lifetime of an access token in seconds. Logins return this value in the field `expires`. */
export const ACCESS_TOKEN_TTL_S = 15 * 60

/** The JWT header field `typ` of an access token (RFC 9068). */
const TYPE = 'at+jwt'
const ALGORITHM = 'EdDSA'
const CACHED_TOKENS = 10_000
const MAX_TOKEN_LENGTH = 4_096
/**
 * An Ed25519 signature in base64url with unused bits 0. Decoders also accept other unused bits and
 * padding, so that one signature would have several texts.
 */
const SIGNED = /\.[\w-]{85}[AQgw]$/

type AccessClaims = {
  userId: string
  sessionId: string
  roles: readonly string[]
  /** Whether the user was verified when the token was issued. The user may be verified by now. */
  verified: boolean
}

export type AccessTokens = {
  issue(claims: AccessClaims): Promise<string>
  /** Returns the claims at once if the token is cached. A bad token throws `invalid_token`. */
  verify(token: string): AccessClaims | Promise<AccessClaims>
  jwks(): Promise<JwkSet>
}

type AccessTokenOptions = {
  issuer: string
  /** The environment of this service. A sandbox token is not valid in production. */
  audience: string
  clock: Clock
  /** Reads the stored keys. The active key signs new tokens, and all keys verify tokens. */
  loadKeys: () => Promise<readonly SigningKey[]>
}

/**
 * Issues and verifies Ed25519 access tokens. Verified tokens are cached until they expire, so most
 * requests cost no signature check. `verify` does not check whether the session has ended.
 * `RevokedSessions` makes this check.
 */
export const createAccessTokens = (options: AccessTokenOptions): AccessTokens => {
  const { issuer, audience, clock } = options
  const nowMs = () => clock.now().getTime()
  const keys = createKeyRing(options.loadKeys, nowMs)
  const verified = createLru<{ claims: AccessClaims; expiresAtMs: number }>(CACHED_TOKENS)

  const check = async (token: string): Promise<AccessClaims> => {
    try {
      const { payload } = await jwtVerify(token, keys.resolve, {
        algorithms: [ALGORITHM],
        typ: TYPE,
        issuer,
        audience,
        requiredClaims: ['sub', 'sid', 'jti', 'iat', 'exp'],
        currentDate: clock.now(),
      })
      const claims = claimsOf(payload)
      verified.set(token, { claims, expiresAtMs: (payload.exp ?? 0) * 1_000 })
      return claims
    } catch (error) {
      throw refusalOf(error)
    }
  }

  return {
    async issue(claims) {
      const { kid, key } = await keys.signer()
      const issuedAtS = Math.floor(nowMs() / 1_000)
      return new SignJWT({
        sid: claims.sessionId,
        roles: [...claims.roles],
        verified: claims.verified,
      })
        .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(claims.userId)
        .setJti(randomUUID())
        .setIssuedAt(issuedAtS)
        .setExpirationTime(issuedAtS + ACCESS_TOKEN_TTL_S)
        .sign(key)
    },
    verify(token) {
      const known = verified.get(token)
      if (known) {
        if (nowMs() < known.expiresAtMs) return known.claims
        verified.delete(token)
        throw expired()
      }
      if (token.length > MAX_TOKEN_LENGTH || !SIGNED.test(token)) throw invalid()
      return check(token)
    },
    jwks: () => keys.jwks(),
  }
}

const claimsOf = (payload: Record<string, unknown>): AccessClaims => {
  const { sub, sid, roles, verified } = payload
  if (typeof sub !== 'string' || !isId(sub) || typeof sid !== 'string' || !isId(sid)) {
    throw invalid()
  }
  return {
    userId: sub,
    sessionId: sid,
    roles: Array.isArray(roles) ? roles.filter((role) => typeof role === 'string') : [],
    verified: verified === true,
  }
}

const invalid = () => new DomainError('invalid_token', 'The access token is not valid.')
const expired = () => new DomainError('invalid_token', 'The access token has expired.')

const refusalOf = (error: unknown): unknown => {
  if (error instanceof errors.JWTExpired) return expired()
  if (error instanceof errors.JWTClaimValidationFailed && error.claim === 'aud') {
    return new DomainError('invalid_token', 'The access token belongs to another environment.')
  }
  return error instanceof errors.JOSEError ? invalid() : error
}
