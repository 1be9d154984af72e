export { listPrintedMail } from './list-printed-mail.ts'
export {
  type ClaimedMail,
  claimMail,
  clampMail,
  type MailOutcome,
  pruneMail,
  queueMail,
  recordMail,
} from './mail-queue.ts'
