import { violatedUnique } from '../../db/errors.ts'
import { withTransaction } from '../../db/transaction.ts'
import { DomainError } from '../../kernel/errors.ts'
import type { Context } from '../context.ts'
import { holdAccount } from '../hold-account.ts'
import type { Credentials } from './credentials.ts'
import { type CodeReceiver, sendCodeInMeasure } from './send-code.ts'
import { useCodeOf } from './use-code.ts'

/**
 * Mails a code with which the caller's account, made by a wallet, gets its address. The address is
 * not stored before, so that it keeps its owner from nothing. The caller does not learn whether
 * another account has it.
 *
 * @throws DomainError `unauthenticated`, `conflict` for an account that has an address
 */
export const requestEmail = (
  ctx: Context,
  credentials: Credentials,
  email: string,
): Promise<void> =>
  withTransaction(ctx, async (ctx) => {
    await sendCodeInMeasure(ctx, credentials, 'add_email', await receiverOf(ctx, email))
  })

/**
 * Adds an address by the code that was mailed to it. False for a wrong code, which is answered and
 * not thrown, because a wrong guess costs a try.
 *
 * @throws DomainError `unauthenticated`, `conflict`, `email_taken`
 */
export const addEmail = (
  ctx: Context,
  credentials: Credentials,
  { email, code }: { email: string; code: string },
): Promise<boolean> =>
  withTransaction(ctx, async (ctx) => {
    const receiver = await receiverOf(ctx, email)
    if (!(await useCodeOf(ctx, credentials, 'add_email', receiver, code))) return false
    try {
      await ctx.sql`
        update app_user set email = ${email}, email_verified_at = ${ctx.clock.now()}
        where id = ${receiver.id} and email is null`
    } catch (error) {
      if (violatedUnique(error) !== 'app_user_email') throw error
      throw new DomainError('email_taken', 'This email address is already registered.')
    }
    return true
  })

/** The caller's account, held, as the receiver of a code at the address that it has not got yet. */
const receiverOf = async (ctx: Context, email: string): Promise<CodeReceiver> => {
  const { actor, sql } = ctx
  if (actor.kind !== 'user') throw new DomainError('unauthenticated', 'Sign in first.')
  await holdAccount(ctx)
  const [user] = await sql<{ id: string; email: string | null; lang: string }[]>`
    select id, email, lang from app_user where id = ${actor.userId}`
  if (user?.email !== null) throw new DomainError('conflict', 'Your account has an email address.')
  return { ...user, email }
}
