import type { Queryable } from '../../../db/client.ts'
import type { Context } from '../../../db/context.ts'
import type { ApiKey } from '../../../db/schema/access.ts'
import type { AppUser } from '../../../db/schema/users.ts'
import { withTransaction } from '../../../db/transaction.ts'
import { isAdmin } from '../../../kernel/actor.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/formats/ids.ts'
import {
  holdAccount,
  isVerifiedUser,
  type Page,
  type PageQuery,
  readPage,
  requireUser,
} from '../../shared/index.ts'
import type { CreateKey, RenameKey } from './schemas.ts'

/** An API key without its secret text, which is shown only when the key is created. */
type KeyView = Omit<ApiKey, 'userId' | 'keyHash'>

const keyColumns = (sql: Queryable) => sql`
  id, name, last_four, scopes, created_at, expires_at, last_used_at, revoked_at`

const unknownKey = () => new DomainError('not_found', 'There is no such API key.')

/**
 * Lists the caller's keys, newest first. Revoked keys are included.
 *
 * @throws DomainError `unauthenticated` without a sign-in, `invalid_cursor` for a wrong cursor
 */
export const listKeys = async (ctx: Context, query: PageQuery): Promise<Page<KeyView>> => {
  const { sql } = ctx
  const { userId } = requireUser(ctx)
  return readPage(ctx, query, {
    chosen: sql`select id, created_at as at from api_key where user_id = ${userId}`,
    rowsOf: (ids) => sql<KeyView[]>`
      select ${keyColumns(sql)} from api_key where id = any(${ids}::uuid[])`,
  })
}

/**
 * Returns a key of the caller. The key may be revoked.
 *
 * @throws DomainError `unauthenticated` without a sign-in, `not_found` for an unknown key
 */
export const getKey = async (ctx: Context, id: string): Promise<KeyView> => {
  const [key] = await ctx.sql<KeyView[]>`
    select ${keyColumns(ctx.sql)} from api_key
    where id = ${id} and user_id = ${requireUser(ctx).userId}`
  if (!key) throw unknownKey()
  return key
}

/** @throws DomainError `unauthenticated` without a sign-in, `not_found` for an unknown key */
export const renameKey = async (
  ctx: Context,
  id: string,
  { name }: RenameKey,
): Promise<KeyView> => {
  const [key] = await ctx.sql<KeyView[]>`
    update api_key set name = ${name} where id = ${id} and user_id = ${requireUser(ctx).userId}
    returning ${keyColumns(ctx.sql)}`
  if (!key) throw unknownKey()
  return key
}

/**
 * Revokes a key of the caller. Does nothing if the key is already revoked.
 *
 * @throws DomainError `unauthenticated` without a sign-in, `not_found` for an unknown key
 */
export const revokeKey = async (ctx: Context, id: string): Promise<void> => {
  const revoked = await ctx.sql`
    update api_key set revoked_at = coalesce(revoked_at, ${ctx.clock.now()})
    where id = ${id} and user_id = ${requireUser(ctx).userId}`
  if (revoked.count === 0) throw unknownKey()
}

/** Revokes all keys of a user, in the caller's transaction. */
export const revokeKeysOf = async ({ sql, clock }: Context, userId: string): Promise<void> => {
  await sql`
    update api_key set revoked_at = ${clock.now()}
    where user_id = ${userId} and revoked_at is null`
}

/** The owner and scopes of a key. The caller of `findKey` must check `expiresAt`. */
type KeyOwner = Pick<ApiKey, 'userId' | 'scopes' | 'expiresAt'> &
  Pick<AppUser, 'roles'> & { keyId: string; verified: boolean }

/** The time of a key's last use is stored at most once a minute, because keys are used often. */
const NOTE_EVERY_MS = 60_000

/** Records the use of a key and returns its owner, or null for an unknown or revoked key. */
export const findKey = async (ctx: Context, keyHash: string): Promise<KeyOwner | null> => {
  const now = ctx.clock.now()
  const [owner] = await ctx.sql<KeyOwner[]>`
    with noted as (
      update api_key set last_used_at = ${now}
      where key_hash = ${keyHash} and revoked_at is null
        and (expires_at is null or expires_at > ${now})
        and (last_used_at is null or last_used_at < ${new Date(now.getTime() - NOTE_EVERY_MS)})
    )
    select api_key.id as key_id, api_key.user_id, app_user.roles,
           ${isVerifiedUser(ctx.sql)} as verified, api_key.scopes, api_key.expires_at
    from api_key join app_user on app_user.id = api_key.user_id
    where api_key.key_hash = ${keyHash} and api_key.revoked_at is null`
  return owner ?? null
}

/** The cryptographic functions for API keys. The composition root provides these functions. */
type KeyMaker = {
  newKey(environment: 'sandbox' | 'production'): string
  hashKey(key: string): string
}

const MAX_KEYS = 25

/**
 * Creates an API key for the caller. Only this answer contains the text of the key.
 *
 * @throws DomainError `unauthenticated` without a sign-in; `forbidden` if the caller is no
 *   administrator and asks for the scope `admin`; `invalid_input` if the expiry is past; `conflict`
 *   if the caller has MAX_KEYS keys
 */
export const createKey = (
  ctx: Context,
  maker: KeyMaker,
  input: CreateKey,
): Promise<KeyView & { key: string }> =>
  withTransaction(ctx, async (ctx) => {
    const actor = requireUser(ctx)
    const now = ctx.clock.now()
    if (input.scopes.includes('admin') && !isAdmin(actor)) {
      throw new DomainError('forbidden', "Only an administrator's key can have the scope admin.")
    }
    if (input.expiresAt !== undefined && input.expiresAt <= now) {
      throw new DomainError('invalid_input', 'The expiry of the key must be in the future.', [
        { path: 'expiresAt', message: 'must be in the future' },
      ])
    }
    const key = maker.newKey(ctx.settings.environment)
    await holdAccount(ctx)
    const [row] = await ctx.sql<KeyView[]>`
      insert into api_key
        (id, user_id, name, key_hash, last_four, scopes, created_at, expires_at)
      select ${newId(now.getTime())}, ${actor.userId}, ${input.name}, ${maker.hashKey(key)},
             ${key.slice(-4)}, ${input.scopes}::text[], ${now}, ${input.expiresAt ?? null}
      where (select count(*) from api_key
             where user_id = ${actor.userId} and revoked_at is null
               and (expires_at is null or expires_at > ${now})) < ${MAX_KEYS}
      returning ${keyColumns(ctx.sql)}`
    if (!row) {
      throw new DomainError('conflict', `An account has at most ${MAX_KEYS} valid API keys.`)
    }
    return { ...row, key }
  })
