/** What people receive and prove: notifications, mail, sanctions, signed wallets. */

export {
  type ClaimedMail,
  claimMail,
  clampMail,
  listPrintedMail,
  type MailOutcome,
  pruneMail,
  queueMail,
  recordMail,
} from './mail/mail-queue.ts'
export { notify } from './notification/notify.ts'
export { emitAndNotify } from './notification/notify-of-events.ts'
export {
  listNotifications,
  type NotificationView,
  readNotifications,
  updateNotification,
} from './notification/own-notifications.ts'
export { pruneNotifications } from './notification/prune-notifications.ts'
export { NOTIFICATION_TYPES } from './notification/render.ts'
export { ListNotifications, ReadNotifications, UpdateNotification } from './notification/schemas.ts'
export { type AddressFile, openAddressFile } from './sanction/address-file.ts'
export { createSanctionScreen } from './sanction/create-screen.ts'
export { refuseSanctioned, refuseSanctionedUser } from './sanction/refuse-sanctioned.ts'
export { type ChallengeView, challengeSignIn, challengeWallet } from './wallet/challenge-wallet.ts'
export {
  keepProofs,
  listWallets,
  toWalletView,
  unlinkWallet,
  type WalletView,
  walletColumns,
} from './wallet/list-wallets.ts'
export { ChallengeWallet, SignatureText, SignedChallenge } from './wallet/schemas.ts'
export {
  type CheckedChallenge,
  checkSigned,
  type ProvenWallet,
  unknownChallenge,
  useChallenge,
} from './wallet/signed-challenge.ts'
