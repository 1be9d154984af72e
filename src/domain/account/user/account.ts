import type { Queryable } from '../../../db/client.ts'
import type { Context } from '../../../db/context.ts'
import { violatedUnique } from '../../../db/errors.ts'
import type { AppUser } from '../../../db/schema/users.ts'
import { withTransaction } from '../../../db/transaction.ts'
import { mayActFor } from '../../../kernel/actor.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { holdAccount, isVerifiedUser, requireUser } from '../../shared/index.ts'
import type { ChangeAccount } from './schemas.ts'

/** A user's account. `verified` is true if the email address is confirmed or does not exist. */
export type UserView = Omit<AppUser, 'passwordHash' | 'emailVerifiedAt' | 'deletedAt'> & {
  emailVerified: boolean
  verified: boolean
}

export const userColumns = (sql: Queryable) => sql`
  app_user.id, email, username, first_name, last_name, lang, profile, roles,
  email_verified_at is not null as email_verified, ${isVerifiedUser(sql)} as verified,
  app_user.created_at`

export const unknownUser = () => new DomainError('not_found', 'There is no such user.')

/**
 * Returns a user. Other users are visible only to administrators.
 *
 * @throws DomainError `not_found` if the user does not exist, or if the caller may not see the user
 */
export const getUser = async ({ sql, actor }: Context, id: string): Promise<UserView> => {
  const [user] = mayActFor(actor, id)
    ? await sql<UserView[]>`
        select ${userColumns(sql)} from app_user where id = ${id} and deleted_at is null`
    : []
  if (!user) throw unknownUser()
  return user
}

/**
 * Changes the names, the language and the profile of the caller's account.
 *
 * @throws DomainError `invalid_token` if the session has ended; `username_taken` for a taken name
 */
export const changeAccount = (ctx: Context, input: ChangeAccount): Promise<UserView> =>
  withTransaction(ctx, async (ctx) => {
    const { sql } = ctx
    const { userId } = requireUser(ctx)
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
        where id = ${userId}`
    } catch (error) {
      throw takenBy(error) ?? error
    }
    return getUser(ctx, userId)
  })

/** The cast is safe: a profile comes from parsed JSON, although its zod type allows any value. */
export const asJson = (profile: Record<string, unknown>) =>
  profile as Parameters<Queryable['json']>[0]

/** Returns a domain error if `error` says that another account has the email or user name. */
export const takenBy = (error: unknown): DomainError | undefined => {
  switch (violatedUnique(error)) {
    case 'app_user_email':
      return new DomainError('email_taken', 'This email address is already registered.')
    case 'app_user_username':
      return new DomainError('username_taken', 'This user name is taken.')
    default:
      return undefined
  }
}
