import type { MailValues } from '../../mail/index.ts'
import type { Context } from '../context.ts'
import { queueMail } from '../mail/index.ts'
import type { UserRow } from './user-view.ts'

/** Mails a notice of a change to the address that the account had before it, where it had one. */
export const mailChange = async (
  ctx: Context,
  { email, lang }: Pick<UserRow, 'email' | 'lang'>,
  change: MailValues<'account_changed'>['change'],
): Promise<void> => {
  if (email === null) return
  await queueMail(ctx, { to: email, lang, template: 'account_changed', values: { change } })
}
