export { authenticateUser } from './authenticate-user.ts'
export { changeAccount } from './change-account.ts'
export { changeEmail, requestEmailChange } from './change-email.ts'
export { changePassword } from './change-password.ts'
export { confirmCaller, ownAccount } from './confirm-caller.ts'
export type { Credentials } from './credentials.ts'
export { deleteAccount } from './delete-account.ts'
export { getUser, isVerified } from './get-user.ts'
export { listSessions } from './list-sessions.ts'
export { pruneSignIn } from './prune-sign-in.ts'
export { hashNewPassword, registerUser } from './register-user.ts'
export { requestVerification } from './request-verification.ts'
export { requestPasswordReset, resetPassword } from './reset-password.ts'
export { changeRoles, ROLES, type Role } from './roles.ts'
export {
  ChangeAccount,
  ChangeEmail,
  ChangePassword,
  DeleteAccount,
  Email,
  Login,
  RefreshSession,
  RegisterUser,
  RequestVerification,
  ResetPassword,
} from './schemas.ts'
export {
  endOtherSessions,
  endSession,
  listRevokedSessions,
  openSession,
  refreshSession,
  type SessionView,
} from './sessions.ts'
export { checkSignIn, signInWithWallet } from './sign-in-with-wallet.ts'
export { loadSigningKeys, rotateSigningKey, type StoredSigningKey } from './signing-keys.ts'
export type { UserView } from './user-view.ts'
export { verifyEmail } from './verify-email.ts'
