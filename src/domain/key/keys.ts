import type { Queryable } from '../../db/client.ts'
import type { ApiKey } from '../../db/schema/access.ts'
import { DomainError } from '../../kernel/errors.ts'
import type { Context } from '../context.ts'
import { type Page, type PageQuery, readPage } from '../page.ts'
import { requireUser } from '../require-user.ts'
import type { RenameKey } from './schemas.ts'

/** An API key without its secret text, which is shown only when the key is created. */
export type KeyView = Omit<ApiKey, 'userId' | 'keyHash'>

export const keyColumns = (sql: Queryable) => sql`
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
