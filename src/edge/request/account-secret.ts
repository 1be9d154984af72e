import type { Context } from '../../db/context.ts'
import { ownAccount } from '../../domain/account/index.ts'
import { DomainError } from '../../kernel/errors.ts'
import type { Attempt } from './rate-limit.ts'

/**
 * Returns the password or code that a request tries, for the rate limit; undefined if the request
 * has neither. The attempt counts for the account's mail address, or else for the user name.
 */
export const guessOf = async (
  ctx: Context,
  { password, code }: { password?: string | undefined; code?: string | undefined },
): Promise<Attempt | undefined> => {
  if (password === undefined && code === undefined) return undefined
  const { id, email, username } = await ownAccount(ctx)
  const secret = code === undefined ? 'password' : 'code'
  return { secret, account: email ?? username, owner: id, isSignedIn: true }
}

export const wrongCode = () =>
  new DomainError('invalid_code', 'This code is wrong or no longer valid. Ask for a new one.')
