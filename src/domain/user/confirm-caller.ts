import { DomainError } from '../../kernel/errors.ts'
import type { Context } from '../context.ts'
import { holdAccount } from '../hold-account.ts'
import type { Credentials } from './credentials.ts'
import type { UserRow } from './user-view.ts'

/** How recent a sign-in is that stands for a password. */
const RECENT_MS = 10 * 60_000

/** The account of a caller who has proven to be its owner. `passwordHash`: null for one without. */
export type Confirmed = { userId: string; passwordHash: string | null }

type Stored = UserRow & { passwordHash: string | null }

/** The caller's account. Throws DomainError `unauthenticated`, `invalid_token` where it is gone. */
export const ownAccount = async ({ sql, actor }: Context): Promise<Stored> => {
  if (actor.kind !== 'user') throw new DomainError('unauthenticated', 'Sign in first.')
  const [row] = await sql<Stored[]>`
    select * from app_user where id = ${actor.userId} and deleted_at is null`
  if (row) return row
  throw new DomainError('invalid_token', 'The account of this access token is gone.')
}

/**
 * Asks the caller for their password, because a session can be stolen. An account without one,
 * which a wallet made, needs a recent sign-in instead. Opens no transaction: the hash takes a
 * while.
 *
 * @throws DomainError `unauthenticated`, `invalid_token`, `invalid_input` without the password,
 * `invalid_credentials`, `sign_in_again`, `unavailable` when too many wait
 */
export const confirmCaller = async (
  ctx: Context,
  credentials: Credentials,
  password: string | undefined,
): Promise<Confirmed & Pick<UserRow, 'email' | 'username'>> => {
  const { id, email, username, passwordHash } = await ownAccount(ctx)
  if (passwordHash === null && password === undefined) await requireRecentSignIn(ctx)
  else if (password === undefined) {
    throw new DomainError('invalid_input', 'password is required.', [
      { path: 'password', message: 'is required' },
    ])
  } else if (!(await credentials.passwords.verify(passwordHash, password))) throw wrongPassword()
  return { userId: id, email, username, passwordHash }
}

const requireRecentSignIn = async ({ sql, actor, clock }: Context): Promise<void> => {
  const session = actor.kind === 'user' ? (actor.sessionId ?? null) : null
  const since = new Date(clock.now().getTime() - RECENT_MS)
  const recent = await sql`select from session where id = ${session} and created_at > ${since}`
  if (recent.length > 0) return
  throw new DomainError(
    'sign_in_again',
    'Sign in with your wallet again: this asks for a sign-in of the last ten minutes.',
  )
}

/**
 * Locks the account of a confirmed caller, until the transaction ends. Throws DomainError
 * `invalid_token`, `invalid_credentials` where the password has just been changed.
 */
export const holdConfirmed = async (
  ctx: Context,
  { userId, passwordHash }: Confirmed,
): Promise<UserRow> => {
  await holdAccount(ctx)
  const [row] = await ctx.sql<UserRow[]>`
    select * from app_user
    where id = ${userId} and password_hash is not distinct from ${passwordHash}
      and deleted_at is null`
  if (!row) throw wrongPassword()
  return row
}

const wrongPassword = () => new DomainError('invalid_credentials', 'The password is wrong.')
