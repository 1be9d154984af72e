import { mayActFor } from '../../kernel/actor.ts'
import { DomainError } from '../../kernel/errors.ts'
import type { Context } from '../context.ts'

/**
 * Whose donation it is: the caller's, or that of the named user where the caller may act for them.
 * Null for a guest. Throws DomainError `unauthenticated`, `forbidden`.
 */
export const donorOf = (ctx: Context, input: { userId?: string | undefined }): string | null => {
  const { actor } = ctx
  if (actor.kind === 'anonymous' && input.userId === undefined) return null
  if (actor.kind !== 'user') throw new DomainError('unauthenticated', 'Sign in to donate.')
  const userId = input.userId ?? actor.userId
  if (!mayActFor(actor, userId)) {
    throw new DomainError('forbidden', 'You can record donations only as yourself.')
  }
  return userId
}
