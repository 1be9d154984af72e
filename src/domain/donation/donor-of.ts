import { mayActFor } from '../../kernel/actor.ts'
import { DomainError } from '../../kernel/errors.ts'
import type { Context } from '../context.ts'

/**
 * Whose donation it is: the caller's, or that of the named user where the caller may act for them.
 * Throws DomainError `unauthenticated`, `forbidden`.
 */
export const donorOf = (ctx: Context, input: { userId?: string | undefined }): string => {
  if (ctx.actor.kind !== 'user') throw new DomainError('unauthenticated', 'Sign in to donate.')
  const userId = input.userId ?? ctx.actor.userId
  if (!mayActFor(ctx.actor, userId)) {
    throw new DomainError('forbidden', 'You can record donations only as yourself.')
  }
  return userId
}
