import { newId } from '../../kernel/ids.ts'
import type { Context } from '../context.ts'
import { queueMail } from '../mail/index.ts'
import type { Credentials } from './credentials.ts'

/** What a code is for; also the name of the mail that brings it. */
export type CodePurpose = 'verify_email' | 'reset_password'

export const CODE_TTL_MINUTES = 10
export const CODE_TRIES = 5

/** A minute between two codes, and few enough a day that guessing at each of them stays hopeless. */
const RESEND_PAUSE_MS = 60_000
const CODES_PER_DAY = 10
const DAY_MS = 24 * 60 * 60_000

/** Whom a code goes to. */
export type CodeReceiver = { id: string; email: string; lang: string }

/**
 * Mails a fresh code; older ones of its purpose end with it. Part of the caller's transaction, in
 * which the user's row is locked or new.
 */
export const sendCode = async (
  ctx: Context,
  credentials: Credentials,
  purpose: CodePurpose,
  user: CodeReceiver,
): Promise<void> => {
  const now = ctx.clock.now()
  const code = credentials.newCode()
  await ctx.sql`
    with ended as (
      update email_code set used_at = ${now}
      where user_id = ${user.id} and purpose = ${purpose} and used_at is null
    )
    insert into email_code (id, user_id, purpose, code_hash, attempts_left, expires_at, created_at)
    values (${newId(now.getTime())}, ${user.id}, ${purpose},
            ${credentials.hashCode(user.id, code)}, ${CODE_TRIES},
            ${new Date(now.getTime() + CODE_TTL_MINUTES * 60_000)}, ${now})`
  await queueMail(ctx, {
    to: user.email,
    lang: user.lang,
    template: purpose,
    values: { code, minutes: CODE_TTL_MINUTES },
  })
}

/** The same, unless one went out within the last minute, or ten within a day. */
export const sendCodeInMeasure = async (
  ctx: Context,
  credentials: Credentials,
  purpose: CodePurpose,
  user: CodeReceiver,
): Promise<void> => {
  const now = ctx.clock.now()
  const before = (ms: number) => new Date(now.getTime() - ms)
  const [sent] = await ctx.sql<{ today: number; recent: number }[]>`
    select count(*) as today,
           count(*) filter (where created_at > ${before(RESEND_PAUSE_MS)}) as recent
    from email_code
    where user_id = ${user.id} and purpose = ${purpose}
      and created_at > ${before(DAY_MS)} and created_at <= ${now}`
  if (!sent || sent.recent > 0 || sent.today >= CODES_PER_DAY) return
  await sendCode(ctx, credentials, purpose, user)
}
