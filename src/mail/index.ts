export { type MailTemplate, type MailText, type MailValues, renderStoredMail } from './templates.ts'
export {
  createPrintedTransport,
  createSmtpTransport,
  MailRefusedError,
  type MailTransport,
} from './transport.ts'
