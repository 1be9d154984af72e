import type { Context } from '../../../db/context.ts'
import { withTransaction } from '../../../db/transaction.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { holdAccount, requireUser } from '../../shared/index.ts'
import { takenBy } from './account.ts'
import { suspendMade } from './change-password.ts'
import { type Confirmed, holdConfirmed, ownAccount } from './check-password.ts'
import type { Credentials } from './credentials.ts'
import { revokeSessions } from './end-sessions.ts'
import { mailChange } from './mail-notices.ts'
import { sendCodeInMeasure } from './send-code.ts'
import { useCodeOf } from './use-code.ts'

const DAY_MS = 24 * 60 * 60_000
/** At most this many mails a day go to one new address, even if several accounts ask for it. */
const MAILS_TO_ADDRESS_PER_DAY = 20

/**
 * Mails a code to the caller's new address, or a notice if another account has this address. Mails
 * nothing if a limit of mails is reached. The answer is the same in all these cases. Does not store
 * the new address, so that the owner of this address can still register it.
 *
 * @throws DomainError `invalid_token` if the session has ended; `invalid_credentials` if the
 *   password was just changed; `conflict` if the account already has this address
 */
export const requestEmailChange = (
  ctx: Context,
  credentials: Credentials,
  confirmed: Confirmed,
  email: string,
): Promise<void> =>
  withTransaction(ctx, async (ctx) => {
    const account = await holdConfirmed(ctx, confirmed)
    if (account.email === email) {
      throw new DomainError('conflict', 'This is already the address of your account.')
    }
    const since = new Date(ctx.clock.now().getTime() - DAY_MS)
    const [sent] = await ctx.sql<{ count: number }[]>`
      select count(*)::int as count from mail
      where to_address = ${email} and created_at > ${since}
        and template in ('change_email', 'email_taken')`
    if (sent && sent.count >= MAILS_TO_ADDRESS_PER_DAY) return
    await sendCodeInMeasure(ctx, credentials, 'change_email', { ...account, email })
  })

/**
 * Changes the caller's email address with the code that was mailed to the new address. Mails a
 * notice to the old address. With `endAccess`, also ends other sessions, API keys, webhooks and
 * sign-ins with wallets. Returns false for a wrong, expired or used code, because an error would
 * roll back the count of wrong guesses.
 *
 * @throws DomainError `invalid_token` if the session has ended; `email_taken` for a taken address
 */
export const changeEmail = (
  ctx: Context,
  credentials: Credentials,
  { email, code }: { email: string; code: string },
  { endAccess = false } = {},
): Promise<boolean> =>
  withTransaction(ctx, async (ctx) => {
    await holdAccount(ctx)
    const old = await ownAccount(ctx)
    const receiver = { ...old, email }
    if (!(await useCodeOf(ctx, credentials, 'change_email', receiver, code))) return false
    try {
      await ctx.sql`
        update app_user set email = ${email}, email_verified_at = ${ctx.clock.now()}
        where id = ${old.id}`
    } catch (error) {
      throw takenBy(error) ?? error
    }
    await mailChange(ctx, old, { change: 'email' })
    if (endAccess) {
      await suspendMade(ctx, old.id)
      await revokeSessions(ctx, old.id, 'signed_out', requireUser(ctx).sessionId)
    }
    return true
  })
