import type { Context } from '../../db/context.ts'

/** Whether the sandbox shows mails, because there is no mail server. */
export const showsMails = ({ settings }: Context): boolean =>
  settings.environment === 'sandbox' && settings.mailIsPrinted
