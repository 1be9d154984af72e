export { changeAccount, getUser, type UserView } from './account.ts'
export { changeEmail, requestEmailChange } from './change-email.ts'
export {
  changePassword,
  hashNewPassword,
  resetPassword,
} from './change-password.ts'
export {
  authenticateUser,
  confirmCaller,
  findAccount,
  hasRecentSignIn,
  ownAccount,
} from './check-password.ts'
export type { Credentials } from './credentials.ts'
export { deleteAccount } from './delete-account.ts'
export {
  endAllCredentials,
  endOtherSessions,
  endSession,
  listRevokedSessions,
  listSessions,
  type OpenSessionView,
} from './end-sessions.ts'
export { linkWallet } from './link-wallet.ts'
export { pruneSignIn } from './prune-sign-in.ts'
export { registerUser } from './register-user.ts'
export { changeRoles, ROLES, type Role } from './roles.ts'
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
} from './schemas.ts'
export { requestCode } from './send-code.ts'
export {
  findPageSession,
  openSession,
  type PageSession,
  refreshSession,
  SESSION_TTL_MS,
  type SessionView,
} from './sessions.ts'
export { signInWithWallet } from './sign-in-with-wallet.ts'
export { followSecret, loadSigningKeys, rotateSigningKey } from './signing-keys.ts'
export { isVerified, verifyEmail } from './verify-email.ts'
