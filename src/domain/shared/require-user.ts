import type { Context } from '../../db/context.ts'
import { type Actor, isAdmin } from '../../kernel/actor.ts'
import { DomainError } from '../../kernel/errors.ts'

type User = Extract<Actor, { kind: 'user' }>

/** @throws DomainError `unauthenticated` if the caller is not a signed-in user */
export const requireUser = ({ actor }: Pick<Context, 'actor'>): User => {
  if (actor.kind === 'user') return actor
  throw new DomainError('unauthenticated', 'Sign in first.')
}

/**
 * Like `requireUser`, but the caller must be a verifier or an administrator.
 *
 * @throws DomainError `unauthenticated` without a sign-in; `forbidden` without one of these roles
 */
export const requireVerifier = (ctx: Pick<Context, 'actor'>): User => {
  const user = requireUser(ctx)
  if (user.roles.includes('verifier') || isAdmin(user)) return user
  throw new DomainError('forbidden', 'Only verifiers and administrators can do this.')
}
