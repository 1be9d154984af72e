import type { Context } from '../../../db/context.ts'
import type { AppUser } from '../../../db/schema/users.ts'
import { toChecksumAddress } from '../../../kernel/formats/address.ts'
import type { MailValues } from '../../../mail/index.ts'
import { queueMail } from '../../people/index.ts'

/** A list in a mail has at most this many lines, each with at most `MAX_LINE` characters. */
const MAX_LINES = 20
const MAX_LINE = 120

type Owner = Pick<AppUser, 'lang' | 'roles'> & { email: string }
type Line = { line: string }

/** Mails a notice to `email`, the address before the change. Does nothing for a null address. */
export const mailChange = async (
  ctx: Context,
  { email, lang }: Pick<AppUser, 'email' | 'lang'>,
  values: MailValues<'account_changed'>,
): Promise<void> => {
  if (email === null) return
  await queueMail(ctx, { to: email, lang, template: 'account_changed', values })
}

/** Mails a notice of a new password, with the wallets, webhooks, campaigns and roles to check. */
export const mailRemaining = async (
  ctx: Context,
  userId: string,
  { isKept }: { isKept: boolean },
) => {
  const { sql } = ctx
  const [owner] = await sql<Owner[]>`
    select email, lang, roles from app_user where id = ${userId} and email is not null`
  if (!owner) return
  const wallets = await sql<Line[]>`
    select address as line from wallet where user_id = ${userId}
    order by created_at desc, id desc limit ${MAX_LINES + 1}`
  const webhooks = await sql<Line[]>`
    select url as line from webhook_endpoint where user_id = ${userId} and deleted_at is null
    order by created_at desc, id desc limit ${MAX_LINES + 1}`
  const campaigns = await sql<(Line & { account: string })[]>`
    select title as line, account from campaign
    where creator_id = ${userId} and status in ('draft', 'active', 'funded')
    order by created_at desc, id desc limit ${MAX_LINES + 1}`
  await queueMail(ctx, {
    to: owner.email,
    lang: owner.lang,
    template: 'password_changed',
    values: {
      isKept,
      wallets: shown(wallets.map(({ line }) => toChecksumAddress(line))),
      webhooks: shown(webhooks.map(({ line }) => line)),
      campaigns: shown(
        campaigns.map(({ line, account }) => `${toChecksumAddress(account)} ${line}`),
      ),
      roles: shown(owner.roles),
    },
  })
}

/** Shortens a list. Puts each item on one line, so that a title cannot imitate the mail's text. */
const shown = (lines: readonly string[]): string[] => [
  ...lines.slice(0, MAX_LINES).map((line) => {
    const one = line.replace(/[\s\p{Cc}]+/gu, ' ')
    return one.length > MAX_LINE ? `${one.slice(0, MAX_LINE - 1)}…` : one
  }),
  ...(lines.length > MAX_LINES ? ['…'] : []),
]
