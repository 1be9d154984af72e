import { withTransaction } from '../../db/transaction.ts'
import { isAdmin } from '../../kernel/actor.ts'
import { DomainError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/formats/ids.ts'
import type { Context } from '../context.ts'
import { holdAccount } from '../hold-account.ts'
import { requireUser } from '../require-user.ts'
import { type KeyView, keyColumns } from './keys.ts'
import type { CreateKey } from './schemas.ts'

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
