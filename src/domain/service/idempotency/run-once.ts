import type { Context } from '../../../db/context.ts'
import type { IdempotencyKey } from '../../../db/schema/users.ts'
import { withTransaction } from '../../../db/transaction.ts'
import { DomainError } from '../../../kernel/errors.ts'

const KEPT_MS = 24 * 60 * 60_000

const PRUNE_BATCH = 5_000

type StoredAnswer = { status: number; location: string | null; body: string }

/**
 * A request with an idempotency key. Different callers may use equal keys. `fingerprints` are keyed
 * hashes of the request's method, path and body. The first caller and fingerprint are stored.
 */
type OnceInput = { callers: [string, string]; key: string; fingerprints: [string, string] }

/**
 * Runs `work` once for a caller's idempotency key, and answers each repetition with the first
 * answer. The changes and the answer commit together. The key stays unused if `work` throws or if
 * its result has no answer to store.
 *
 * Source: draft-ietf-httpapi-idempotency-key-header, section 2.
 *
 * @throws DomainError any error of `work`; `idempotency_in_progress` while the first request runs;
 *   `idempotency_key_reused` if the first request had another fingerprint
 */
export const runOnce = <T extends { store: StoredAnswer | false }>(
  ctx: Context,
  input: OnceInput,
  work: (ctx: Context) => Promise<T>,
): Promise<{ replayed: StoredAnswer } | { done: T }> =>
  withTransaction(ctx, async (ctx) => {
    await claim(ctx, input)
    const stored = await findAnswer(ctx, input)
    if (stored) return { replayed: stored }
    const done = await work(ctx)
    if (done.store) await storeAnswer(ctx, input, done.store)
    return { done }
  })

/** Locks the key until the transaction ends, so the lock also ends if the process crashes. */
const claim = async (ctx: Context, { callers, key }: OnceInput): Promise<void> => {
  const [row] = await ctx.sql<{ claimed: boolean }[]>`
    select bool_and(pg_try_advisory_xact_lock(hashtextextended(request, 0))) as claimed
    from unnest(${callers.map((caller) => `${caller}\n${key}`)}::text[]) as request`
  if (row?.claimed) return
  throw new DomainError(
    'idempotency_in_progress',
    'The first request with this Idempotency-Key is still running.',
  )
}

const findAnswer = async (
  ctx: Context,
  { callers, key, fingerprints }: OnceInput,
): Promise<StoredAnswer | undefined> => {
  const [row] = await ctx.sql<(StoredAnswer & Pick<IdempotencyKey, 'fingerprint'>)[]>`
    select fingerprint, status, location, body from idempotency_key
    where caller = any(${callers}::text[]) and key = ${key}
      and (expires_at > ${ctx.clock.now()} or not ${ctx.clock.isTrusted()}::boolean)`
  if (!row) return undefined
  if (!fingerprints.includes(row.fingerprint)) {
    throw new DomainError(
      'idempotency_key_reused',
      'This Idempotency-Key was used for another request. Use a new key.',
    )
  }
  return { status: row.status, location: row.location, body: ctx.secrets.open(row.body) }
}

/** Stores the answer. Encrypts its body, because some answers contain a secret, such as a token. */
const storeAnswer = async (
  ctx: Context,
  { callers: [caller], key, fingerprints: [fingerprint] }: OnceInput,
  { status, location, body }: StoredAnswer,
): Promise<void> => {
  const expiresAt = new Date(ctx.clock.now().getTime() + KEPT_MS)
  await ctx.sql`
    insert into idempotency_key (caller, key, fingerprint, status, location, body, expires_at)
    values (${caller}, ${key}, ${fingerprint}, ${status}, ${location}, ${ctx.secrets.seal(body)},
            ${expiresAt})
    on conflict (caller, key) do update
    set fingerprint = excluded.fingerprint, status = excluded.status,
        location = excluded.location, body = excluded.body, expires_at = excluded.expires_at`
}

/** Returns the `caller` value of a user. All sessions and API keys of the user have this value. */
export const callerOfUser = (userId: string): string => `user:${userId}`

/** Removes the stored answers of a user, in the caller's transaction. */
export const forgetAnswersOf = async ({ sql }: Context, userId: string): Promise<void> => {
  await sql`delete from idempotency_key where caller = ${callerOfUser(userId)}`
}

/** Removes a batch of expired answers. Returns the number of removed answers. */
export const pruneIdempotencyKeys = async ({ sql, clock }: Context): Promise<number> => {
  const deleted = await sql`
    delete from idempotency_key where (caller, key) in (
      select caller, key from idempotency_key
      where expires_at < ${clock.now()} limit ${PRUNE_BATCH})`
  return deleted.count
}
