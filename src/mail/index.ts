export { renderStoredMail } from './render.ts'
export type { MailTemplate, MailText, MailValues } from './templates.ts'
export {
  createPrintedTransport,
  createSmtpTransport,
  MailRefusedError,
  type MailTransport,
} from './transport.ts'
