import type { HonoRequest } from 'hono'
import type { z } from 'zod'
import type { Context } from '../db/context.ts'
import { isVerified } from '../domain/account/index.ts'
import { callerOfUser, runOnce } from '../domain/service/index.ts'
import { DomainError } from '../kernel/errors.ts'
import { type Answered, type Outcome, outcomeOf, replayOf, textOf } from './answer/outcome.ts'
import type { AppDeps } from './deps.ts'
import type { Call, Definition, Operation, Routed } from './operation.ts'
import {
  actorOf,
  authenticate,
  authenticateLater,
  type Caller,
  requireScope,
} from './request/authenticate.ts'
import {
  MAX_ANONYMOUS_BODY_BYTES,
  MAX_BODY_BYTES,
  parseJson,
  readJsonText,
  readUpload,
} from './request/body.ts'
import { refuseCountry } from './request/geo-block.ts'
import { parseIdempotencyKey } from './request/idempotency-key.ts'
import { PREFERENCE_APPLIED, wantsAmountsAsText } from './request/preference.ts'
import { withFields } from './request/refused-fields.ts'
import { parseBody, parseParams, parseQuery } from './request/validate.ts'
import type { RequestContext } from './request-context.ts'

/** Checks a request's caller, limits and input, then runs the handler and returns the answer. */
export const runOperation = async <P, Q, B, R>(
  definition: Routed<P, Q, B, R>,
  deps: AppDeps,
  request: RequestContext,
  req: HonoRequest,
): Promise<Outcome> => {
  refuseCountry(deps.settings, req)
  const caller = await callerOf(deps, definition, request, req)
  const ctx = deps.context({
    actor: actorOf(caller),
    requestId: request.requestId,
    traceParent: request.span.traceParent,
    log: request.log,
  })
  if (definition.auth === 'verified' || (definition.auth === 'guest' && caller)) {
    await requireVerified(ctx, caller)
  }
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
    address: request.address,
    countNew: request.limits.countNew,
    isSpent: false,
    authenticateAgain: authenticateLater(deps, req),
  }
  if (definition.auth === 'guest' && !caller) await request.limits.countNew('guest')
  const attempt = await definition.attempt?.(call)
  const asText = !definition.probe && wantsAmountsAsText(req.header('prefer'))
  const answer = (isSpent: boolean) => {
    const asked = (ctx: Context) => ({ call: { ...call, ctx, isSpent }, req, text, asText })
    const run = (ctx: Context) => perform(deps, definition, asked(ctx))
    return caller || definition.probe ? run(ctx) : answerVisitor(deps, definition, ctx, run)
  }
  const answered = attempt ? request.limits.countAttempt(attempt, answer) : answer(false)
  const outcome = await answered.catch((error: unknown) => {
    if (!(error instanceof DomainError)) throw error
    throw withFields(error, [definition.body, definition.query])
  })
  return asText ? { ...outcome, headers: { ...outcome.headers, ...PREFERENCE_APPLIED } } : outcome
}

/** Answers a visitor from a replica if it may be, and lets guests read what they have written. */
const answerVisitor = async (
  { visitors }: AppDeps,
  { method, auth }: Pick<Operation, 'method' | 'auth'>,
  ctx: Context,
  run: (ctx: Context) => Promise<Outcome>,
): Promise<Outcome> => {
  if (method === 'get' && visitors) {
    const outcome = await visitors.read(ctx, run)
    // What is read while it is sent cannot be read again, so it comes from the primary.
    if (!outcome.stream) return outcome
    outcome.stream.discard()
  }
  const outcome = await run(ctx)
  if (auth === 'guest') await visitors?.settle()
  return outcome
}

const NO_FILE = new Uint8Array()

type Asked<P, Q, B> = {
  call: Call<P, Q, B>
  req: HonoRequest
  text: string
  /** Whether amounts in the answer are texts instead of numbers. */
  asText: boolean
}

/** Runs the handler, but only once for all POSTs of a caller with the same Idempotency-Key. */
const perform = async <P, Q, B, R>(
  deps: AppDeps,
  definition: Routed<P, Q, B, R>,
  { call, req, text, asText }: Asked<P, Q, B>,
): Promise<Outcome> => {
  const { ctx, caller, address } = call
  const key =
    definition.method === 'post' ? parseIdempotencyKey(req.header('idempotency-key')) : undefined
  const prepared = prepare(definition, call)
  // Ignores an error of `prepare` here, because a repeated request gets the stored answer even if
  // its `prepare` fails. If no answer is stored, `answerTo` throws the error.
  await prepared.catch(() => {})
  const answerTo = async (call: Call<P, Q, B>): Promise<Answered | DomainError> => {
    const answer = (await definition.handler(call, await prepared)) ?? {}
    if (answer instanceof DomainError) return answer
    return { ...answer, status: answer.status ?? Number(Object.keys(definition.answers)[0]) }
  }
  if (key === undefined) return outcomeOf(await answerTo(call), asText)

  const asked = `${definition.method} ${req.path}${asText ? ' as text' : ''}\n${text}`
  // A hash of the network and the whole request identifies a caller without an account.
  const [first, second] = deps.fingerprint(`${address}\n${asked}`)
  const user = caller && callerOfUser(caller.userId)
  const callers: [string, string] = [user ?? `anonymous:${first}`, user ?? `anonymous:${second}`]
  const once = { callers, key, fingerprints: deps.fingerprint(asked) }
  const result = await runOnce(ctx, once, async (ctx) => {
    const answer = await answerTo({ ...call, ctx })
    if (answer instanceof DomainError) return { answer, store: false as const }
    const body = textOf(answer, asText) ?? ''
    const store = { status: answer.status, location: answer.location ?? null, body }
    return { answer, store }
  })
  return 'replayed' in result ? replayOf(result.replayed) : outcomeOf(result.done.answer, asText)
}

const prepare = async <P, Q, B, R>(
  definition: Definition<P, Q, B, R>,
  call: Call<P, Q, B>,
): Promise<R> => (definition.prepare ? definition.prepare(call) : absent<R>())

const callerOf = async (
  deps: AppDeps,
  { auth, probe, scope }: Pick<Operation, 'auth' | 'probe' | 'scope'>,
  { limits }: RequestContext,
  req: HonoRequest,
): Promise<Caller | null> => {
  if (probe) limits.writeHeaders()
  const caller = auth === 'none' ? null : await authenticate(deps, req)
  if (!probe) limits.countRequest(caller)
  if (auth === 'none') return null
  if (caller) requireScope(caller, scope)
  if (caller || auth === 'optional' || auth === 'guest') return caller
  throw new DomainError(
    'unauthenticated',
    'Sign in: send Authorization: Bearer <access token>, or X-API-Key.',
  )
}

/** Throws `email_unverified` unless the caller is verified in the token or in the database. */
const requireVerified = async (ctx: Context, caller: Caller | null): Promise<void> => {
  if (caller?.verified || (await isVerified(ctx))) return
  throw new DomainError(
    'email_unverified',
    'Verify your email address first: POST /api/auth/request-verification mails you a code.',
  )
}

/** Returns the parsed value. Without a schema, the value and its type `T` are `undefined`. */
const optional = <T>(schema: z.ZodType<T> | undefined, parse: (schema: z.ZodType<T>) => T): T =>
  schema ? parse(schema) : absent<T>()
const absent = <T>(): T => undefined as T
