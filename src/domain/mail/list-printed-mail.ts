import { DomainError } from '../../kernel/errors.ts'
import { renderStoredMail } from '../../mail/index.ts'
import type { Context } from '../context.ts'

export type PrintedMail = {
  id: string
  template: string
  subject: string
  text: string
  createdAt: Date
}

const MAX_LISTED = 20

type Row = {
  id: string
  template: string
  lang: string
  valuesSealed: string
  createdAt: Date
}

/**
 * The newest mail to an address, where mail is only printed: what a developer would find in their
 * inbox. Throws `not_found` in every deployment that sends mail.
 */
export const listPrintedMail = async (
  context: Context,
  { to }: { to: string },
): Promise<PrintedMail[]> => {
  if (!context.settings.mailIsPrinted) {
    throw new DomainError('not_found', 'This deployment sends its mail.')
  }
  const rows = await context.sql<Row[]>`
    select id, template, lang, values_sealed, created_at from mail
    where lower(to_address) = lower(${to}) and values_sealed is not null
    order by created_at desc, id desc limit ${MAX_LISTED}`
  return rows.map((row) => {
    const values: unknown = JSON.parse(context.secrets.open(row.valuesSealed))
    const { subject, text } = renderStoredMail(row.template, row.lang, values)
    return { id: row.id, template: row.template, subject, text, createdAt: row.createdAt }
  })
}
