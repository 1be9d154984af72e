export {
  type ClaimedMail,
  claimMail,
  clampMail,
  listPrintedMail,
  type MailOutcome,
  pruneMail,
  queueMail,
  recordMail,
} from './mail-queue.ts'
