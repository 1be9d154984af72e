import type { HonoRequest } from 'hono'
import type { z } from 'zod'
import type { Context } from '../domain/context.ts'
import type { DomainError, ErrorCode } from '../kernel/errors.ts'
import type { Answer, Outcome } from './answer/outcome.ts'
import type { AppDeps } from './deps.ts'
import type { Caller, KeyScope } from './request/authenticate.ts'
import type { Upload } from './request/body.ts'
import type { Attempt } from './request/rate-limit.ts'
import type { RequestContext } from './request-context.ts'

/**
 * `none`: the caller does not matter. `optional`: signed in or not. `guest`: `verified`, or without
 * an account, which is limited by network. `user`: signed in; for reading
 * and signing out only. `verified`: signed in, with a verified address or a proven wallet.
 */
type Auth = 'none' | 'optional' | 'guest' | 'user' | 'verified'
export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** What a handler gets: the input as its schemas made it, and the caller. */
export type Call<P, Q, B> = {
  readonly ctx: Context
  readonly caller: Caller | null
  readonly params: P
  readonly query: Q
  readonly body: B
  /** What was uploaded, where the operation takes that. */
  readonly file: Uint8Array
  /** The address that was asked for, with its query. */
  readonly url: string
  /** A header of the request, by its name in lower case. */
  readonly header: (name: string) => string | undefined
  /** The network that the caller asks from. */
  readonly address: string
  /**
   * Who the caller is by now, for what goes on after the answer has begun. Throws, as at the
   * beginning, where the token or the key is no longer good.
   */
  readonly authenticateAgain: () => Promise<Caller | null>
}

/** Bodies as callers send them, each by its name. `full` is left out where it is `minimal`. */
export type Examples = Readonly<{ minimal: object; full?: object; withCode?: object }>

type Described = {
  readonly operationId: string
  readonly summary: string
  readonly auth: Auth
  /** Asked by machines each few seconds: outside the rate limits, and logged at debug. */
  readonly probe?: true
  /** Instead of JSON. */
  readonly upload?: Upload
  /**
   * Answers below 400, by status. `otherTypes`: media types besides JSON, each with an example, or
   * with null for bytes.
   */
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
  /** Of the body, written by hand. */
  readonly examples?: Examples
  /** Refusals of its own; those of authentication, path, input and lists come by themselves. */
  readonly errors?: readonly ErrorCode[]
}

export type Definition<P, Q, B, R> = Described & {
  /** What an API key needs; left out: `read` for GET, and a session for everything else. */
  readonly scope?: KeyScope
  /** Left out: what the path names are UUIDs. */
  readonly params?: z.ZodType<P>
  readonly query?: z.ZodType<Q>
  readonly body?: z.ZodType<B>
  /** The secret that is guessed at, where one is: wrong guesses have a limit of their own. */
  readonly attempt?: (call: Call<P, Q, B>) => Attempt | undefined | Promise<Attempt | undefined>
  /** Slow work that needs no transaction, such as a hash; done before one is opened. */
  readonly prepare?: (call: Call<P, Q, B>) => Promise<R>
  /**
   * Answers. With an Idempotency-Key it runs in one transaction with the stored answer. A thrown
   * refusal undoes what was written; a returned one leaves it, and is not stored either.
   */
  readonly handler: (
    call: Call<P, Q, B>,
    prepared: R,
  ) => Promise<Answer | DomainError> | Promise<void>
}

export type Operation = Described & {
  readonly method: Method
  /** With parameters as `:id`. */
  readonly path: string
  readonly tag: string
  readonly scope: KeyScope
  readonly params?: z.ZodType
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  readonly run: (deps: AppDeps, request: RequestContext, req: HonoRequest) => Promise<Outcome>
}

/** An operation before it is put into a group of the document. */
export type Untagged = Omit<Operation, 'tag'>

/** A definition at its address. */
export type Routed<P, Q, B, R> = Definition<P, Q, B, R> &
  Pick<Operation, 'method' | 'path' | 'scope'>
