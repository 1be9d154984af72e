import type { AppUser } from '../../db/schema/users.ts'
import { DomainError } from '../../kernel/errors.ts'
import type { Context } from '../context.ts'
import { holdAccount } from '../hold-account.ts'
import { requireUser } from '../require-user.ts'
import type { Credentials } from './credentials.ts'
import type { Login } from './schemas.ts'

/** How recent a sign-in is that stands for a password. */
const RECENT_MS = 10 * 60_000

/** A user who has given the password of this hash. */
export type Authenticated = { userId: string; passwordHash: string }

/** The account of a caller who has proven to be its owner; one that a wallet made has no hash. */
export type Confirmed = Pick<AppUser, 'id' | 'passwordHash'>

type Account = Pick<AppUser, 'id' | 'email' | 'username' | 'lang' | 'roles' | 'passwordHash'>

/**
 * Finds the user by an email address or a user name, and checks the password. An unknown user and a
 * wrong password get the same refusal after the same time. Opens no transaction: the hash is slow.
 *
 * @throws DomainError `invalid_credentials`, `unavailable` when too many wait
 */
export const authenticateUser = async (
  { sql }: Context,
  credentials: Credentials,
  { username, password }: Login,
): Promise<Authenticated> => {
  // User names have no "@", so that no name can be the address of another user.
  const name = username.toLowerCase()
  const [row] = await sql<Confirmed[]>`
    select id, password_hash from app_user
    where ${name.includes('@') ? sql`email = ${name}` : sql`lower(username) = ${name}`}`
  const right = await credentials.passwords.verify(row?.passwordHash ?? null, password)
  if (!row?.passwordHash || !right) throw wrongCredentials()
  return { userId: row.id, passwordHash: row.passwordHash }
}

export const wrongCredentials = () =>
  new DomainError('invalid_credentials', 'The user name or the password is wrong.')

/**
 * The caller's account.
 *
 * @throws DomainError `unauthenticated`, `invalid_token` where it is gone
 */
export const ownAccount = async (ctx: Context): Promise<Account> => {
  const [row] = await ctx.sql<Account[]>`
    select id, email, username, lang, roles, password_hash from app_user
    where id = ${requireUser(ctx).userId} and deleted_at is null`
  if (row) return row
  throw new DomainError('invalid_token', 'The account of this access token no longer exists.')
}

/**
 * Asks the caller for their password, because a session can be stolen. An account without one,
 * which a wallet made, needs a recent sign-in instead. Opens no transaction: the hash is slow.
 *
 * @throws DomainError `unauthenticated`, `invalid_token`, `invalid_input` without the password,
 * `invalid_credentials`, `sign_in_again`, `unavailable` when too many wait
 */
export const confirmCaller = async (
  ctx: Context,
  credentials: Credentials,
  password: string | undefined,
): Promise<Account> => {
  const account = await ownAccount(ctx)
  const { passwordHash } = account
  if (passwordHash === null && password === undefined) await requireRecentSignIn(ctx)
  else if (password === undefined) {
    throw new DomainError('invalid_input', 'password is required.', [
      { path: 'password', message: 'is required' },
    ])
  } else if (!(await credentials.passwords.verify(passwordHash, password))) throw wrongPassword()
  return account
}

const requireRecentSignIn = async (ctx: Context): Promise<void> => {
  const { sessionId = null } = requireUser(ctx)
  const since = new Date(ctx.clock.now().getTime() - RECENT_MS)
  const recent = await ctx.sql`
    select from session where id = ${sessionId} and created_at > ${since}`
  if (recent.length > 0) return
  throw new DomainError(
    'sign_in_again',
    'Sign in with your wallet again: this needs a sign-in of the last ten minutes.',
  )
}

/**
 * Locks the account of a confirmed caller until the transaction ends.
 *
 * @throws DomainError `invalid_token`, `invalid_credentials` where the password was just changed
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
