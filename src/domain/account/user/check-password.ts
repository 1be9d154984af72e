import type { Context } from '../../../db/context.ts'
import type { AppUser } from '../../../db/schema/users.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { holdAccount, requireUser } from '../../shared/index.ts'
import type { Credentials } from './credentials.ts'
import type { Login } from './schemas.ts'

/** The maximum age of a sign-in that is accepted in place of the password. */
const RECENT_MS = 10 * 60_000

/** A user whose password was checked against `passwordHash`. */
export type Authenticated = { userId: string; passwordHash: string }

/** An account whose owner `confirmCaller` has checked. Without a password, the hash is null. */
export type Confirmed = Pick<AppUser, 'id' | 'passwordHash'>

type Account = Pick<AppUser, 'id' | 'email' | 'username' | 'lang' | 'roles' | 'passwordHash'>

/** Finds the account with an email address or a user name. */
export const findAccount = async ({ sql }: Context, username: string) => {
  // A user name has no "@", so it cannot equal the address of another user.
  const name = username.toLowerCase()
  const [row] = await sql<Confirmed[]>`
    select id, password_hash from app_user
    where ${name.includes('@') ? sql`email = ${name}` : sql`lower(username) = ${name}`}`
  return row
}

/**
 * Finds a user by email address or user name and checks the password. An unknown user, a wrong
 * password and `isSpent` get the same error after the same time. Opens no transaction, because the
 * hash is slow.
 *
 * @throws DomainError `invalid_credentials` for an unknown user or a wrong password, or if
 *   `isSpent`; `unavailable` if too many hashes wait
 */
export const authenticateUser = async (
  ctx: Context,
  credentials: Credentials,
  { username, password }: Login,
  isSpent = false,
): Promise<Authenticated> => {
  const { id: userId, passwordHash = null } = (await findAccount(ctx, username)) ?? {}
  const right = await credentials.passwords.verify(isSpent ? null : passwordHash, password)
  if (userId === undefined || passwordHash === null || !right) throw wrongCredentials()
  return { userId, passwordHash }
}

export const wrongCredentials = () =>
  new DomainError('invalid_credentials', 'The user name or the password is wrong.')

/**
 * Returns the caller's account.
 *
 * @throws DomainError `unauthenticated` without sign-in; `invalid_token` if the account was deleted
 */
export const ownAccount = async (ctx: Context): Promise<Account> => {
  const [row] = await ctx.sql<Account[]>`
    select id, email, username, lang, roles, password_hash from app_user
    where id = ${requireUser(ctx).userId} and deleted_at is null`
  if (row) return row
  throw new DomainError('invalid_token', 'The account of this access token no longer exists.')
}

/**
 * Checks the caller's password again, because a session can be stolen. An account without a
 * password needs a recent sign-in instead. With `orRecent`, a recent sign-in is enough for every
 * account. Opens no transaction, because the hash is slow.
 *
 * @throws DomainError `unauthenticated` without a sign-in; `invalid_token` if the account was
 *   deleted; `invalid_input` if the password is missing; `invalid_credentials` if it is wrong;
 *   `sign_in_again` if the sign-in is too old; `unavailable` if too many hashes wait
 */
export const confirmCaller = async (
  ctx: Context,
  credentials: Credentials,
  password: string | undefined,
  { orRecent = false } = {},
): Promise<Account> => {
  const account = await ownAccount(ctx)
  const { passwordHash } = account
  if (password === undefined && (orRecent || passwordHash === null)) {
    if (await hasRecentSignIn(ctx)) return account
    throw new DomainError(
      'sign_in_again',
      'Sign in again, or send your password: this needs a sign-in of the last ten minutes.',
    )
  }
  if (password === undefined) {
    throw new DomainError('invalid_input', 'password is required.', [
      { path: 'password', message: 'is required' },
    ])
  } else if (!(await credentials.passwords.verify(passwordHash, password))) throw wrongPassword()
  return account
}

/** Whether the caller signed in less than ten minutes ago. A refresh does not count. */
export const hasRecentSignIn = async (ctx: Context): Promise<boolean> => {
  const { sessionId = null } = requireUser(ctx)
  const since = new Date(ctx.clock.now().getTime() - RECENT_MS)
  const recent = await ctx.sql`
    select from session where id = ${sessionId} and created_at > ${since}`
  return recent.length > 0
}

/**
 * Locks the account of a confirmed caller until the transaction ends.
 *
 * @throws DomainError `invalid_token` if the session has ended or the account was deleted;
 *   `invalid_credentials` if the password was just changed
 */
export const holdConfirmed = async (
  ctx: Context,
  { id, passwordHash }: Confirmed,
): Promise<Account> => {
  await holdAccount(ctx)
  const account = await ownAccount(ctx)
  if (account.id !== id || account.passwordHash !== passwordHash) throw wrongPassword()
  return account
}

const wrongPassword = () => new DomainError('invalid_credentials', 'The password is wrong.')
