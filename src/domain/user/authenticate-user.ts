import { DomainError } from '../../kernel/errors.ts'
import type { Context } from '../context.ts'
import type { Credentials } from './credentials.ts'
import type { Login } from './schemas.ts'
import type { UserRow } from './user-view.ts'

/** A user who has given the password of this hash. */
export type Authenticated = { userId: string; passwordHash: string }

/**
 * Who an email address or user name and a password belong to. An unknown user and a wrong password
 * are one refusal, in its text and in its time. Opens no transaction: the hash takes a while.
 *
 * @throws DomainError `invalid_credentials`, `unavailable` when too many wait
 */
export const authenticateUser = async (
  ctx: Context,
  credentials: Credentials,
  { username, password }: Login,
): Promise<Authenticated> => {
  // User names have no "@", so that no name can be the address of another user.
  const name = username.toLowerCase()
  const [row] = name.includes('@')
    ? await ctx.sql<Stored[]>`select * from app_user where email = ${name}`
    : await ctx.sql<Stored[]>`select * from app_user where lower(username) = ${name}`
  const right = await credentials.passwords.verify(row?.passwordHash ?? null, password)
  if (!row?.passwordHash || !right) {
    throw wrongCredentials()
  }
  return { userId: row.id, passwordHash: row.passwordHash }
}

export const wrongCredentials = () =>
  new DomainError('invalid_credentials', 'The user name or the password is wrong.')

type Stored = UserRow & { passwordHash: string | null }
