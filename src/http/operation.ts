import type { HonoRequest } from 'hono'
import type { z } from 'zod'
import type { Context } from '../domain/context.ts'
import { callerOfUser, runOnce } from '../domain/idempotency/index.ts'
import { isVerified } from '../domain/user/index.ts'
import { DomainError, type ErrorCode } from '../kernel/errors.ts'
import {
  actorOf,
  type Caller,
  identify,
  identifyLater,
  type KeyScope,
  requireScope,
} from './admit.ts'
import {
  MAX_ANONYMOUS_BODY_BYTES,
  MAX_BODY_BYTES,
  parseJson,
  readJsonText,
  readUpload,
  type Upload,
} from './body.ts'
import type { AppDeps } from './deps.ts'
import { parseIdempotencyKey } from './idempotency-key.ts'
import { refuseCountry } from './legal.ts'
import { type Answer, type Outcome, outcomeOf, replayOf, textOf } from './outcome.ts'
import { PREFERENCE_APPLIED, wantsAmountsAsText } from './preference.ts'
import type { Attempt } from './rate-limit.ts'
import { withFields } from './refused-fields.ts'
import type { Scope } from './scope.ts'
import { parseBody, parseParams, parseQuery } from './validate.ts'

/**
 * `none`: the caller does not matter. `optional`: signed in or not. `guest`: `verified`, or without
 * an account, which is limited by network. `user`: signed in; for reading
 * and signing out only. `verified`: signed in, with a verified address or a proven wallet.
 */
export type Auth = 'none' | 'optional' | 'guest' | 'user' | 'verified'
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
  readonly identifyAgain: () => Promise<Caller | null>
}

/** Bodies as callers send them, each by its name. `full` is left out where it is `minimal`. */
export type Examples = Readonly<{ minimal: object; full?: object; withCode?: object }>

type Described = {
  readonly method: Method
  /** With parameters as `:id`. */
  readonly path: string
  readonly operationId: string
  readonly summary: string
  readonly tag: string
  readonly auth: Auth
  /** What an API key needs; left out: `read` for GET, and a session for everything else. */
  readonly scope?: KeyScope
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
  /** Refusals of its own; those of authentication, input and idempotency come by themselves. */
  readonly errors?: readonly ErrorCode[]
}

type Definition<P, Q, B, R> = Described & {
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
  readonly handler: (call: Call<P, Q, B>, prepared: R) => Promise<Answer | DomainError>
}

export type Operation = Described & {
  readonly params?: z.ZodType
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  readonly run: (deps: AppDeps, scope: Scope, req: HonoRequest) => Promise<Outcome>
}

/**
 * One operation of the interface: its route, its input, its answers and what it does. The same
 * schemas validate and make the OpenAPI document.
 */
export const operation = <P = undefined, Q = undefined, B = undefined, R = undefined>(
  definition: Definition<P, Q, B, R>,
): Operation => ({
  ...definition,
  async run(deps, scope, req) {
    refuseCountry(deps.settings, req)
    const caller = await admit(deps, definition, scope, req)
    const ctx = deps.context({
      actor: actorOf(caller),
      requestId: scope.requestId,
      traceParent: scope.span.traceParent,
      log: scope.log,
    })
    if (definition.auth === 'verified' || (definition.auth === 'guest' && caller)) {
      await requireVerified(ctx, caller)
    }
    if (definition.auth === 'guest' && !caller) await scope.limits.guest()
    const maxBytes = caller ? MAX_BODY_BYTES : MAX_ANONYMOUS_BODY_BYTES
    const text = definition.body ? await readJsonText(req, maxBytes) : ''
    const call: Call<P, Q, B> = {
      ctx,
      caller,
      params: optional(definition.params, (schema) => parseParams(schema, req.param())),
      query: definition.probe ? absent<Q>() : parseQuery(definition.query, req.queries()),
      body: optional(definition.body, (schema) => parseBody(schema, parseJson(text))),
      file: definition.upload ? await readUpload(req, definition.upload) : NO_FILE,
      url: req.url,
      header: (name) => req.header(name),
      address: scope.address,
      identifyAgain: identifyLater(deps, req),
    }
    const attempt = await definition.attempt?.(call)
    const asText = !definition.probe && wantsAmountsAsText(req.header('prefer'))
    const answer = () => perform(deps, definition, { call, req, text, asText })
    const outcome = await (attempt ? scope.limits.attempt(attempt, answer) : answer()).catch(
      (error: unknown) => {
        if (!(error instanceof DomainError)) throw error
        throw withFields(error, [definition.body, definition.query])
      },
    )
    return asText ? { ...outcome, headers: { ...outcome.headers, ...PREFERENCE_APPLIED } } : outcome
  },
})

const NO_FILE = new Uint8Array()

type Asked<P, Q, B> = {
  call: Call<P, Q, B>
  req: HonoRequest
  text: string
  /** Whether the amounts of the answer shall be texts. */
  asText: boolean
}

/** Does the work of an admitted call, once for each Idempotency-Key. */
const perform = async <P, Q, B, R>(
  deps: AppDeps,
  definition: Definition<P, Q, B, R>,
  { call, req, text, asText }: Asked<P, Q, B>,
): Promise<Outcome> => {
  const { ctx, caller, address } = call
  const key =
    definition.method === 'post' ? parseIdempotencyKey(req.header('idempotency-key')) : undefined
  const prepared = await tryToPrepare(async () =>
    definition.prepare ? definition.prepare(call) : absent<R>(),
  )
  if (key === undefined) {
    return outcomeOf(await definition.handler(call, preparedOf(prepared)), asText)
  }

  const asked = `${definition.method} ${req.path}${asText ? ' as text' : ''}\n${text}`
  const fingerprint = deps.fingerprint(asked)
  // Without an account only the network and the request say which caller this is.
  const owner = caller
    ? callerOfUser(caller.userId)
    : `anonymous:${deps.fingerprint(`${address}\n${asked}`)}`
  const result = await runOnce(ctx, { caller: owner, key, fingerprint }, async (ctx) => {
    const answer = await definition.handler({ ...call, ctx }, preparedOf(prepared))
    if (answer instanceof DomainError) return { answer, store: false as const }
    const body = textOf(answer, asText) ?? ''
    const store = { status: answer.status, location: answer.location ?? null, body }
    return { answer, store }
  })
  return 'replayed' in result ? replayOf(result.replayed) : outcomeOf(result.done.answer, asText)
}

const admit = async (
  deps: AppDeps,
  { auth, method, probe, scope: keyScope }: Described,
  { limits }: Scope,
  req: HonoRequest,
): Promise<Caller | null> => {
  if (probe) limits.look()
  const caller = auth === 'none' ? null : await identify(deps, req)
  if (!probe) limits.admit(caller)
  if (auth === 'none') return null
  if (caller) requireScope(caller, keyScope ?? (method === 'get' ? 'read' : 'session'))
  if (caller || auth === 'optional' || auth === 'guest') return caller
  throw new DomainError(
    'unauthenticated',
    'Sign in: send Authorization: Bearer <access token>, or X-API-Key.',
  )
}

/** The token says so; where it is older than the verification, the database does. */
const requireVerified = async (ctx: Context, caller: Caller | null): Promise<void> => {
  if (caller?.verified || (await isVerified(ctx))) return
  throw new DomainError(
    'email_unverified',
    'Verify your email address first: POST /api/auth/request-verification mails you a code.',
  )
}

/** `T` is undefined wherever there is no schema for it: that is its default. */
const optional = <T>(schema: z.ZodType<T> | undefined, parse: (schema: z.ZodType<T>) => T): T =>
  schema ? parse(schema) : absent<T>()
const absent = <T>(): T => undefined as T

/**
 * What was prepared, or why it could not be: thrown only once no stored answer is found, since a
 * repeated request may ask for what the first one has used up.
 */
type Prepared<R> = { value: R } | { thrown: unknown }

const tryToPrepare = async <R>(work: () => Promise<R>): Promise<Prepared<R>> => {
  try {
    return { value: await work() }
  } catch (thrown) {
    return { thrown }
  }
}

const preparedOf = <R>(prepared: Prepared<R>): R => {
  if ('thrown' in prepared) throw prepared.thrown
  return prepared.value
}
