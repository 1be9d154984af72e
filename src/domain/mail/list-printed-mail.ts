import type { Mail } from '../../db/schema/users.ts'
import { DomainError } from '../../kernel/errors.ts'
import type { MailText } from '../../mail/index.ts'
import type { Context } from '../context.ts'
import { renderMail } from './mail-queue.ts'

const MAX_LISTED = 20

/**
 * Lists the newest mail to an address, if this deployment prints its mail instead of sending it.
 *
 * @throws DomainError `not_found` if this deployment sends its mail
 */
export const listPrintedMail = async (
  ctx: Context,
  { to }: { to: string },
): Promise<(Pick<Mail, 'id' | 'template' | 'createdAt'> & MailText)[]> => {
  if (!ctx.settings.mailIsPrinted) {
    throw new DomainError('not_found', 'This deployment sends its mail and does not show it.')
  }
  const rows = await ctx.sql<Mail[]>`
    select * from mail
    where lower(to_address) = lower(${to}) and values_sealed is not null
    order by created_at desc, id desc limit ${MAX_LISTED}`
  return rows.map((row) => {
    const { subject, text } = renderMail(ctx, row)
    return { id: row.id, template: row.template, subject, text, createdAt: row.createdAt }
  })
}
