import type { MailValues } from '../../mail/index.ts'
import type { Context } from '../context.ts'
import { queueMail } from '../mail/index.ts'
import type { UserRow } from './user-view.ts'

/** Mails a notice of a changed account to its earlier address; null sends nothing. */
export const mailChange = async (
  ctx: Context,
  { email, lang }: Pick<UserRow, 'email' | 'lang'>,
  change: MailValues<'account_changed'>['change'],
): Promise<void> => {
  if (email === null) return
  await queueMail(ctx, { to: email, lang, template: 'account_changed', values: { change } })
}
