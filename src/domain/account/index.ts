/** Users, their sessions, API keys and wallets, and the secrets that protect them. */

export { createKey, findKey, getKey, listKeys, renameKey, revokeKey } from './key/keys.ts'
export { RenameKey } from './key/schemas.ts'
export { rotateSecret } from './secret/rotate-secret.ts'
export { changeAccount, getUser, type UserView } from './user/account.ts'
export { changeEmail, requestEmailChange } from './user/change-email.ts'
export { changePassword, hashNewPassword, resetPassword } from './user/change-password.ts'
export {
  authenticateUser,
  confirmCaller,
  findAccount,
  hasRecentSignIn,
  ownAccount,
} from './user/check-password.ts'
export type { Credentials } from './user/credentials.ts'
export { deleteAccount } from './user/delete-account.ts'
export {
  endAllCredentials,
  endOtherSessions,
  endSession,
  listRevokedSessions,
  listSessions,
  type OpenSessionView,
  pruneSignIn,
} from './user/end-sessions.ts'
export { linkWallet } from './user/link-wallet.ts'
export { registerUser } from './user/register-user.ts'
export { changeRoles, ROLES } from './user/roles.ts'
export {
  ChangeAccount,
  ChangeEmail,
  ChangePassword,
  DeleteAccount,
  Email,
  LinkWallet,
  Login,
  MakeKey,
  RefreshSession,
  RegisterUser,
  RequestVerification,
  ResetPassword,
} from './user/schemas.ts'
export { requestCode } from './user/send-code.ts'
export {
  findPageSession,
  openSession,
  refreshSession,
  SESSION_TTL_MS,
  type SessionView,
} from './user/sessions.ts'
export { signInWithWallet } from './user/sign-in-with-wallet.ts'
export { followSecret, loadSigningKeys, rotateSigningKey } from './user/signing-keys.ts'
export { isVerified, verifyEmail } from './user/verify-email.ts'
