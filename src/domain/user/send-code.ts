import type { AppUser, EmailCode } from '../../db/schema/users.ts'
import { withTransaction } from '../../db/transaction.ts'
import { newId } from '../../kernel/formats/ids.ts'
import type { Context } from '../context.ts'
import { queueMail } from '../mail/index.ts'
import type { Credentials } from './credentials.ts'

/**
 * What a code is for; also the name of the mail that brings it. Where the address that an account
 * is to have is taken, a notice goes there instead, so that only its owner learns of it.
 */
export type CodePurpose = 'verify_email' | 'reset_password' | 'change_email'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const CODE_TTL_MINUTES = 10
/** From everywhere. One network may guess less often, so that others have some left. */
const CODE_TRIES = 10
/** A code that expires sooner may be too old when it arrives. */
const RESEND_MIN_MS = 5 * MINUTE_MS
const RESEND_PAUSE_MS = MINUTE_MS
/** After so many mails a day, the next code waits for the end of the last one, and lasts longer. */
const MAILS_PER_DAY = 10
const LATER_TTL_MINUTES = 60

/** The account, and the address that the code goes to. */
export type CodeReceiver = Pick<AppUser, 'id' | 'lang'> & { email: string }

/**
 * Mails a code to a registered address, and does nothing for another one, for a verified one that
 * needs no verification, or too soon after the last. The caller cannot tell which.
 */
export const requestCode = (
  ctx: Context,
  credentials: Credentials,
  purpose: Exclude<CodePurpose, 'change_email'>,
  email: string,
): Promise<void> =>
  withTransaction(ctx, async (ctx) => {
    const [user] = await ctx.sql<CodeReceiver[]>`
      select id, email, lang from app_user
      where email = ${email}
        and (${purpose === 'reset_password'}::boolean or email_verified_at is null)
      for update`
    if (user) await sendCodeInMeasure(ctx, credentials, purpose, user)
  })

/**
 * Mails a new code; older ones stay valid until they expire, because their owner may be typing one.
 * Part of the caller's transaction, in which the user's row is locked or new.
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
    codeHash: credentials.hashCode(ownerOf(user), code),
    attemptsLeft: CODE_TRIES,
    expiresAt,
  })
}

/**
 * Mails a code at most once a minute: the last one again while it is good for five minutes more,
 * else a new one. However often strangers ask, a good code is in the mailbox or can be asked for.
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
    last.codeHash === credentials.hashCode(ownerOf(user), code)
  if (!isGood) return sendCode(ctx, credentials, purpose, user)
  // The row moves on with its tries, so that asking again neither adds any nor goes uncounted.
  await ctx.sql`update email_code set used_at = ${ctx.clock.now()} where id = ${last.id}`
  await mailCode(ctx, purpose, user, { ...last, code })
}

/** The code follows from this and SECRET, so that it can be sent again and is stored nowhere. */
const seedOf = (user: CodeReceiver, purpose: CodePurpose, expiresAt: Date): string =>
  `${ownerOf(user)}:${purpose}:${expiresAt.getTime()}`

/** What a code is good for: an account together with the address that it was mailed to. */
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
