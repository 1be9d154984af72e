import type { HonoRequest } from 'hono'
import type { z } from 'zod'
import type { Context } from '../db/context.ts'
import type { DomainError, ErrorCode } from '../kernel/errors.ts'
import type { Answer, Outcome } from './answer/outcome.ts'
import type { AppDeps } from './deps.ts'
import type { Caller, KeyScope } from './request/authenticate.ts'
import type { Upload } from './request/body.ts'
import type { Attempt, RequestLimits } from './request/rate-limit.ts'
import type { RequestContext } from './request-context.ts'

/**
 * The callers that an operation allows:
 * - `none`: everyone, without authentication
 * - `optional`: everyone; credentials are checked if present
 * - `guest`: like `verified`, and also callers without an account, with a limit per network
 * - `user`: signed-in callers, verified or not; only for reading and for signing out
 * - `verified`: signed-in callers with a verified mail address or a proven wallet
 */
type Auth = 'none' | 'optional' | 'guest' | 'user' | 'verified'
export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** The parsed input of a handler, and the caller. */
export type Call<P, Q, B> = {
  readonly ctx: Context
  readonly caller: Caller | null
  readonly params: P
  readonly query: Q
  readonly body: B
  /** The uploaded bytes; empty if the operation takes no upload. */
  readonly file: Uint8Array
  /** The full URL of the request, with its query. */
  readonly url: string
  /** A header of the request, by its name in lower case. */
  readonly header: (name: string) => string | undefined
  /** The network of the client: an IPv4 address, or an IPv6 /64. */
  readonly address: string
  /** Counts something that the caller's network makes. Throws `rate_limited` above its limit. */
  readonly countNew: RequestLimits['countNew']
  /** Whether the password of an attempt must be refused as wrong. See `countAttempt`. */
  readonly isSpent: boolean
  /** Authenticates again during a stream. Throws if the token or key is no longer valid. */
  readonly authenticateAgain: () => Promise<Caller | null>
}

/** Example bodies by name. `full` is omitted if it equals `minimal`. */
export type Examples = Readonly<{
  minimal: object
  full?: object
  withCode?: object
  withEscrow?: object
}>

type Described = {
  readonly operationId: string
  readonly summary: string
  readonly auth: Auth
  /** Whether this is a health check, which has no rate limit and is logged at level `debug`. */
  readonly probe?: true
  /** Takes a file as the body instead of JSON. */
  readonly upload?: Upload
  /** Answers below 400 by status. `otherTypes` has an example per media type, null for a file. */
  readonly answers: Readonly<
    Record<
      number,
      {
        description: string
        schema?: z.ZodType
        otherTypes?: Readonly<Record<string, string | null>>
      }
    >
  >
  /** Examples of the body, written by hand. */
  readonly examples?: Examples
  /** The operation's own error codes. The document adds codes of authentication, path and input. */
  readonly errors?: readonly ErrorCode[]
}

export type Definition<P, Q, B, R> = Described & {
  /** The scope that an API key needs. Default: `read` for GET; otherwise no key is accepted. */
  readonly scope?: KeyScope
  /** The schema of the path parameters. Default: all parameters are UUIDs. */
  readonly params?: z.ZodType<P>
  readonly query?: z.ZodType<Q>
  readonly body?: z.ZodType<B>
  /** The password or code that a request tries, if any. Wrong attempts have their own limit. */
  readonly attempt?: (call: Call<P, Q, B>) => Attempt | undefined | Promise<Attempt | undefined>
  /** Slow work, such as hashing a password, which runs before the transaction starts. */
  readonly prepare?: (call: Call<P, Q, B>) => Promise<R>
  /**
   * Answers the call. With an Idempotency-Key, the handler and the storage of its answer share one
   * transaction. A thrown DomainError rolls the transaction back. A returned DomainError keeps the
   * writes, but the answer is not stored.
   */
  readonly handler: (
    call: Call<P, Q, B>,
    prepared: R,
  ) => Promise<Answer | DomainError> | Promise<void>
}

export type Operation = Described & {
  readonly method: Method
  /** The path, with parameters such as `:id`. */
  readonly path: string
  readonly tag: string
  readonly scope: KeyScope
  readonly params?: z.ZodType
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  readonly run: (deps: AppDeps, request: RequestContext, req: HonoRequest) => Promise<Outcome>
}

/** An operation without its tag, which is its group in the OpenAPI document. */
export type Untagged = Omit<Operation, 'tag'>

export type Routed<P, Q, B, R> = Definition<P, Q, B, R> &
  Pick<Operation, 'method' | 'path' | 'scope'>
