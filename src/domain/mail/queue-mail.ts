import { onCommit } from '../../db/transaction.ts'
import { newId } from '../../kernel/ids.ts'
import type { MailTemplate, MailValues } from '../../mail/index.ts'
import type { Context } from '../context.ts'
import { databaseNow } from '../database-time.ts'

export type QueueMail = {
  [T in MailTemplate]: { to: string; lang: string; template: T; values: MailValues<T> }
}[MailTemplate]

/** Leaves a mail to the worker, in the caller's transaction. What it says is sealed until sent. */
export const queueMail = async (
  context: Context,
  { to, lang, template, values }: QueueMail,
): Promise<void> => {
  const now = context.clock.now()
  const sealed = context.secrets.seal(JSON.stringify(values))
  await context.sql`
    insert into mail (id, to_address, lang, template, values_sealed, next_attempt_at, request_id,
                      created_at)
    values (${newId(now.getTime())}, ${to}, ${lang}, ${template}, ${sealed},
            ${databaseNow(context)}, ${context.requestId}, ${now})`
  onCommit(context, () => context.wake('mail'))
}
