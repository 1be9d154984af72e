import type { ErrorCode } from '../../../kernel/errors.ts'
import type { SignTexts } from '../../shared/sign-props.ts'

/** The names of the fields in forms of this area. */
export const FIELDS = [
  'name',
  'email',
  'username',
  'password',
  'newPassword',
  'code',
  'firstName',
  'lastName',
  'lang',
  'token',
] as const
export type FieldName = (typeof FIELDS)[number]

/** The refusals that a form of this area explains. Other errors have a page of their own. */
export const REFUSALS = [
  'invalid_credentials',
  'invalid_code',
  'email_taken',
  'username_taken',
  'rate_limited',
  'unavailable',
  'invalid_challenge',
  'invalid_signature',
  'wallet_taken',
  'sign_in_again',
  'conflict',
  'forbidden',
  'not_found',
  'transfer_already_claimed',
  'transfer_before_campaign',
] as const satisfies readonly ErrorCode[]
export type Refusal = (typeof REFUSALS)[number]

/** The texts of sign-in and account in one language. */
export type AccountTexts = {
  labels: Readonly<Record<FieldName, string>>
  hints: { username: string; newPassword: string; code: string; token: string }
  /** The rule that a refused value breaks. */
  rules: Readonly<Record<FieldName, string>>
  refusedTitle: string
  refused: Readonly<Record<Refusal, string>>
  mail: { printed: string; show: string }
  signIn: {
    title: string
    forgotten: string
    withMail: string
    withWallet: string
    walletText: string
    noScript: string
    passwordChanged: string
    toClaim: string
  }
  register: { title: string; lead: string; submit: string; haveAccount: string }
  verify: {
    title: string
    lead: (email: string) => string
    submit: string
    again: string
    sentAgain: string
  }
  reset: {
    title: string
    lead: string
    send: string
    sent: (email: string) => string
    submit: string
  }
  claim: { title: string; lead: string; ready: string; submit: string; alreadyYours: string }
  menu: {
    label: string
    account: string
    donations: string
    deposits: string
    notifications: string
    signOut: string
  }
  account: {
    saved: string
    profile: string
    save: string
    confirmed: string
    notConfirmed: string
    confirm: string
    noEmail: string
  }
  wallets: {
    title: string
    lead: string
    empty: string
    caption: string
    columns: readonly [address: string, linked: string]
    linked: string
    unlink: (address: string) => string
    unlinkShort: string
    link: string
    noScript: string
    copy: { copy: string; copied: string }
  }
  sessions: {
    title: string
    caption: string
    columns: readonly [program: string, action: string]
    since: string
    until: string
    unknown: string
    current: string
    end: string
    endOf: (program: string) => string
    everywhere: string
    ended: string
  }
  password: {
    current: string
    change: string
    set: string
    lead: string
    changed: string
  }
  list: { pages: string; older: string; newest: string }
  donations: {
    title: string
    lead: string
    empty: string
    toCampaigns: string
    caption: string
    columns: readonly [campaign: string, state: string, when: string, amount: string]
    missing: string
    linkWallet: string
  }
  deposits: {
    lead: string
    empty: string
    noWallet: string
    caption: string
    columns: readonly [campaign: string, when: string, amount: string, action: string]
    from: string
    claim: string
    claimOf: (amount: string) => string
    tooEarly: string
    /** The list of payments that belong to donations. */
    claimed: { title: string; lead: string; empty: string }
  }
  notifications: {
    empty: string
    unread: string
    markAll: string
    donation: string
    campaign: string
  }
  signInWallet: SignTexts
  linkWallet: SignTexts
}
