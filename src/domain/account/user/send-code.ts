import { setTimeout as delay } from 'node:timers/promises'
import type { Context } from '../../../db/context.ts'
import type { AppUser, EmailCode } from '../../../db/schema/users.ts'
import { withTransaction } from '../../../db/transaction.ts'
import { newId } from '../../../kernel/formats/ids.ts'
import { queueMail } from '../../people/index.ts'
import type { Credentials } from './credentials.ts'

/** The purpose of a code, which is also the name of its mail template. */
export type CodePurpose = 'verify_email' | 'reset_password' | 'change_email'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const CODE_TTL_MINUTES = 10
/** A code allows 10 wrong guesses from all networks together. One network has a lower limit. */
const CODE_TRIES = 10
/** A code is mailed again only if it stays valid for this time or longer, as mails can be slow. */
const RESEND_MIN_MS = 5 * MINUTE_MS
const RESEND_PAUSE_MS = MINUTE_MS
/** After this many codes for a user in a day, a new code waits until the last code expires. */
const MAILS_PER_DAY = 10
const LATER_TTL_MINUTES = 60
/** The time of an answer must not reveal whether an account exists. */
const ANSWER_MS = 40

/** The account, and the address to which the code is mailed. */
export type CodeReceiver = Pick<AppUser, 'id' | 'lang'> & { email: string }

/**
 * Mails a code to a registered address. The caller cannot see that no mail is sent if:
 * - the address is unknown, or
 * - the purpose is `verify_email` and the address is already verified, or
 * - the user has just got a mail, or too many mails in a day.
 */
export const requestCode = async (
  ctx: Context,
  credentials: Credentials,
  purpose: Exclude<CodePurpose, 'change_email'>,
  email: string,
): Promise<void> => {
  const sent = withTransaction(ctx, async (ctx) => {
    const [user] = await ctx.sql<CodeReceiver[]>`
      select id, email, lang from app_user
      where email = ${email}
        and (${purpose === 'reset_password'}::boolean or email_verified_at is null)
      for update`
    if (user) await sendCodeInMeasure(ctx, credentials, purpose, user)
  })
  await Promise.all([sent, delay(ANSWER_MS)])
}

/**
 * Mails a new code. A code that was mailed before stays valid until it expires, because the user
 * may be typing this code now. The caller's transaction has locked or inserted the user's row.
 */
export const sendCode = async (
  ctx: Context,
  credentials: Credentials,
  purpose: CodePurpose,
  user: CodeReceiver,
  minutes = CODE_TTL_MINUTES,
): Promise<void> => {
  const expiresAt = new Date(ctx.clock.now().getTime() + minutes * MINUTE_MS)
  const code = credentials.codeOf(seedOf(user, purpose, expiresAt))
  await mailCode(ctx, purpose, user, {
    code,
    codeHash: credentials.hashCode(ownerOf(user), code)[0],
    attemptsLeft: CODE_TRIES,
    expiresAt,
  })
}

/**
 * Mails a code at most once a minute. Mails the last code again if it stays valid for at least five
 * minutes, and otherwise a new code. So a stranger's requests cannot make a mailed code useless.
 */
export const sendCodeInMeasure = async (
  ctx: Context,
  credentials: Credentials,
  purpose: CodePurpose,
  user: CodeReceiver,
): Promise<void> => {
  const now = ctx.clock.now().getTime()
  const [last] = await ctx.sql<(EmailCode & { today: number })[]>`
    select *, count(*) over () as today from email_code
    where user_id = ${user.id} and purpose = ${purpose}
      and created_at > ${new Date(now - DAY_MS)} and created_at <= ${new Date(now)}
    order by created_at desc, id desc limit 1`
  if (!last) return sendCode(ctx, credentials, purpose, user)
  if (now - last.createdAt.getTime() < RESEND_PAUSE_MS) return
  if (last.today >= MAILS_PER_DAY) {
    if (last.expiresAt.getTime() > now) return
    return sendCode(ctx, credentials, purpose, user, LATER_TTL_MINUTES)
  }
  const code = credentials.codeOf(seedOf(user, purpose, last.expiresAt))
  const isGood =
    last.usedAt === null &&
    last.attemptsLeft > 0 &&
    last.expiresAt.getTime() - now >= RESEND_MIN_MS &&
    credentials.hashCode(ownerOf(user), code).includes(last.codeHash)
  if (!isGood) return sendCode(ctx, credentials, purpose, user)
  // Ends this row, because `mailCode` adds a new row with the same code and the same guesses left.
  await ctx.sql`update email_code set used_at = ${ctx.clock.now()} where id = ${last.id}`
  await mailCode(ctx, purpose, user, { ...last, code })
}

/** A code is derived from this seed and SECRET, so it can be mailed again without being stored. */
const seedOf = (user: CodeReceiver, purpose: CodePurpose, expiresAt: Date): string =>
  `${ownerOf(user)}:${purpose}:${expiresAt.getTime()}`

/** A code is valid only for this account and the email address to which it was mailed. */
export const ownerOf = ({ id, email }: Pick<CodeReceiver, 'id' | 'email'>): string =>
  `${id}:${email}`

const mailCode = async (
  ctx: Context,
  purpose: CodePurpose,
  user: CodeReceiver,
  sent: Pick<EmailCode, 'codeHash' | 'attemptsLeft' | 'expiresAt'> & { code: string },
): Promise<void> => {
  const now = ctx.clock.now()
  await ctx.sql`
    insert into email_code (id, user_id, purpose, code_hash, attempts_left, expires_at, created_at)
    values (${newId(now.getTime())}, ${user.id}, ${purpose}, ${sent.codeHash}, ${sent.attemptsLeft},
            ${sent.expiresAt}, ${now})`
  const minutes = Math.floor((sent.expiresAt.getTime() - now.getTime()) / MINUTE_MS)
  const { email: to, lang } = user
  if (purpose === 'change_email' && (await isTaken(ctx, to))) {
    return queueMail(ctx, { to, lang, template: 'email_taken', values: {} })
  }
  await queueMail(ctx, { to, lang, template: purpose, values: { code: sent.code, minutes } })
}

const isTaken = async ({ sql }: Context, email: string): Promise<boolean> => {
  const found = await sql`select from app_user where email = ${email}`
  return found.length > 0
}
