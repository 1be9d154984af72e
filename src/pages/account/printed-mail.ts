import type { Context } from '../../domain/context.ts'

/** Whether the sandbox shows mails, because there is no mail server. */
export const showsMails = ({ settings }: Context): boolean =>
  settings.environment === 'sandbox' && settings.mailIsPrinted
