export { renderStoredMail } from './render.ts'
export type { MailTemplate, MailText, MailValues } from './templates.ts'
export {
  createPrintedTransport,
  createSmtpTransport,
  type MailMessage,
  MailRefusedError,
  type MailTransport,
} from './transport.ts'
