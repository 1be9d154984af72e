import { withTransaction } from '../../db/transaction.ts'
import type { Context } from '../context.ts'
import type { Credentials } from './credentials.ts'
import { type CodeReceiver, sendCodeInMeasure } from './send-code.ts'

/**
 * Mails a code to an address that is registered and not verified yet, and does nothing for any
 * other, or too soon after the last. The caller cannot tell which.
 */
export const requestVerification = (
  ctx: Context,
  credentials: Credentials,
  email: string,
): Promise<void> =>
  withTransaction(ctx, async (ctx) => {
    const [user] = await ctx.sql<CodeReceiver[]>`
      select id, email, lang from app_user
      where email = ${email} and email_verified_at is null
      for update`
    if (user) await sendCodeInMeasure(ctx, credentials, 'verify_email', user)
  })
