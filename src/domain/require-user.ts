import type { Actor } from '../kernel/actor.ts'
import { DomainError } from '../kernel/errors.ts'
import type { Context } from './context.ts'

/**
 * The signed-in user who calls.
 *
 * @throws DomainError `unauthenticated`
 */
export const requireUser = ({
  actor,
}: Pick<Context, 'actor'>): Extract<Actor, { kind: 'user' }> => {
  if (actor.kind === 'user') return actor
  throw new DomainError('unauthenticated', 'Sign in first.')
}
