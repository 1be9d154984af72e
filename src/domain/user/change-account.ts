import { withTransaction } from '../../db/transaction.ts'
import { DomainError } from '../../kernel/errors.ts'
import type { Context } from '../context.ts'
import { holdAccount } from '../hold-account.ts'
import { getUser } from './get-user.ts'
import type { ChangeAccount } from './schemas.ts'
import { takenBy } from './taken.ts'
import { asJson, type UserView } from './user-view.ts'

/**
 * Changes the names, the language and the profile of the caller's account.
 *
 * @throws DomainError `unauthenticated`, `invalid_token`, `username_taken`
 */
export const changeAccount = (ctx: Context, input: ChangeAccount): Promise<UserView> =>
  withTransaction(ctx, async (ctx) => {
    const { sql, actor } = ctx
    if (actor.kind !== 'user') throw new DomainError('unauthenticated', 'Sign in first.')
    await holdAccount(ctx)
    const { username, firstName, lastName, lang, profile } = input
    try {
      await sql`
        update app_user
        set username = coalesce(${username ?? null}, username),
            first_name = ${firstName === undefined ? sql`first_name` : firstName},
            last_name = ${lastName === undefined ? sql`last_name` : lastName},
            lang = coalesce(${lang ?? null}, lang),
            profile = ${profile === undefined ? sql`profile` : sql.json(asJson(profile))}
        where id = ${actor.userId}`
    } catch (error) {
      throw takenBy(error) ?? error
    }
    return getUser(ctx, actor.userId)
  })
