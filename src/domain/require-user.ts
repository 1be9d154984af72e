import { type Actor, isAdmin } from '../kernel/actor.ts'
import { DomainError } from '../kernel/errors.ts'
import type { Context } from './context.ts'

type User = Extract<Actor, { kind: 'user' }>

/**
 * Returns the caller, who must be a signed-in user.
 *
 * @throws DomainError `unauthenticated`
 */
export const requireUser = ({ actor }: Pick<Context, 'actor'>): User => {
  if (actor.kind === 'user') return actor
  throw new DomainError('unauthenticated', 'Sign in first.')
}

/**
 * Like `requireUser`, but the caller must be a verifier or an administrator.
 *
 * @throws DomainError `unauthenticated`, `forbidden`
 */
export const requireVerifier = (ctx: Pick<Context, 'actor'>): User => {
  const user = requireUser(ctx)
  if (user.roles.includes('verifier') || isAdmin(user)) return user
  throw new DomainError('forbidden', 'Only verifiers and administrators can do this.')
}
