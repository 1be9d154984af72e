import type { Context } from '../../../db/context.ts'
import { withTransaction } from '../../../db/transaction.ts'
import { newId } from '../../../kernel/formats/ids.ts'
import { asJson, takenBy } from './account.ts'
import type { Credentials } from './credentials.ts'
import type { RegisterUser } from './schemas.ts'
import { sendCode } from './send-code.ts'

/**
 * Creates an account and queues the mail with its verification code. Calls `countNew` for the
 * account before the transaction ends.
 *
 * @throws DomainError `email_taken` or `username_taken` if another account has this value
 */
export const registerUser = (
  ctx: Context,
  credentials: Credentials,
  input: Omit<RegisterUser, 'password'> & { passwordHash: string },
  countNew: (kind: 'account') => Promise<void>,
): Promise<{ userId: string }> =>
  withTransaction(ctx, async (ctx) => {
    const now = ctx.clock.now()
    const id = newId(now.getTime())
    try {
      await ctx.sql`
        insert into app_user
          (id, email, username, password_hash, first_name, last_name, lang, profile, created_at)
        values
          (${id}, ${input.email}, ${input.username}, ${input.passwordHash},
           ${input.firstName ?? null}, ${input.lastName ?? null}, ${input.lang},
           ${ctx.sql.json(asJson(input.profile))}, ${now})`
    } catch (error) {
      throw takenBy(error) ?? error
    }
    await countNew('account')
    await sendCode(ctx, credentials, 'verify_email', { id, email: input.email, lang: input.lang })
    return { userId: id }
  })
