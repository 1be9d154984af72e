import type { ErrorCode } from '../../../kernel/errors.ts'

const wallet = {
  unnamed: 'browser wallet',
  looking: 'Looking for wallets…',
  none: 'This browser has no wallet. Install one, or open this page in the browser of the wallet on your phone.',
  confirm: 'Confirm in your wallet.',
  slow: 'Your wallet has a request open: click its icon.',
  sending: 'One moment…',
  rejected: 'You refused in the wallet. Nothing has changed.',
  busy: 'Your wallet already has a request open: click its icon, answer it, and try again.',
  locked: 'Your wallet is locked. Unlock it and try again.',
  failed: 'The wallet could not sign. Try again.',
  unreachable: 'The service did not answer. Try again in a moment.',
}

export const en = {
  labels: {
    name: 'Email address or user name',
    email: 'Email address',
    username: 'User name',
    password: 'Password',
    newPassword: 'New password',
    code: 'Code from the mail',
    firstName: 'First name (optional)',
    lastName: 'Last name (optional)',
    lang: 'Language of pages and mails',
    token: 'Claim link',
  },
  hints: {
    username: '3 to 32 letters without accents, digits, dots, hyphens or underscores.',
    newPassword: 'At least 10 characters. Several words together are good.',
    code: 'Six digits, valid for ten minutes.',
    token: 'The whole link, or its last part after the sign #.',
  },
  /** The rule that a refused value breaks. */
  rules: {
    name: 'Enter your email address or user name.',
    email: 'Enter an email address, such as ada@example.org.',
    username: 'Enter a user name with 3 to 32 letters, digits, dots, hyphens or underscores.',
    password: 'Enter your password.',
    newPassword:
      'Choose another password: at least 10 characters, not a common password, not repeated characters and not your name.',
    code: 'Enter the six digits of the code.',
    firstName: 'A first name has at most 100 characters.',
    lastName: 'A last name has at most 100 characters.',
    lang: 'Choose one of these languages.',
    token: 'This is not a whole claim link. Copy it again.',
  },
  refusedTitle: 'This did not work',
  /** Other errors have a page of their own. */
  refused: {
    invalid_credentials:
      'The name or the password is wrong. After many wrong attempts, even the right password is refused for up to 15 minutes.',
    invalid_code: 'This code is wrong or no longer valid. Ask for a new one.',
    email_taken: 'This email address already has an account.',
    username_taken: 'This user name is taken.',
    rate_limited: 'Too many wrong attempts, or new accounts from your network. Try again later.',
    unavailable: 'Too many people are signing in at once. Try again in a moment.',
    invalid_challenge: 'The signed message is too old or was used before. Sign again.',
    invalid_signature: 'The signature does not belong to this wallet. Try again.',
    wallet_taken: 'This wallet belongs to another account.',
    sign_in_again: 'This needs a sign-in of the last ten minutes. Sign in again.',
    conflict: 'Your account needs this wallet to sign in: link another one first.',
    forbidden:
      'This wallet was linked before the password was reset. Sign in by mail and link it again.',
    not_found: 'This link is unknown, used or too old.',
    transfer_already_claimed: 'This payment already belongs to another account.',
    transfer_before_campaign:
      'This payment came before the campaign opened, so it cannot become a donation.',
  } satisfies Partial<Record<ErrorCode, string>>,
  mail: {
    printed: 'This is a test service: it sends no mails, but you can read them here.',
    show: 'Show the mail with the code',
  },
  signIn: {
    title: 'Sign in',
    forgotten: 'I have forgotten my password',
    withMail: 'With a password',
    withWallet: 'With a wallet',
    walletText:
      'Your wallet signs a message. This costs nothing and moves no money. A new wallet gets a new account.',
    noScript: 'Signing in with a wallet needs JavaScript.',
    passwordChanged: 'Your password is changed. Sign in with the new one.',
    toClaim: 'Sign in or create an account. Then the donation can become yours.',
  },
  register: {
    title: 'Create an account',
    lead: 'With an account you find your donations again, on every device.',
    submit: 'Create account',
    haveAccount: 'I already have an account',
  },
  verify: {
    title: 'Confirm your email address',
    lead: (email: string) => `We have sent a code to ${email}.`,
    submit: 'Confirm',
    again: 'Send the code again',
    sentAgain: 'The code is on its way again. It can take a minute.',
  },
  reset: {
    title: 'Choose a new password',
    lead: 'Enter your email address, and we send you a code.',
    send: 'Send the code',
    sent: (email: string) => `If ${email} has an account, a code is on its way.`,
    submit: 'Set the password',
  },
  claim: {
    title: 'Claim your donation',
    lead: 'You gave without an account. With your link, the donation becomes part of your account.',
    ready: 'Your link is here. Claim the donation now.',
    submit: 'Claim the donation',
    alreadyYours:
      'If you have signed in with the wallet that paid, the donation is already among your donations.',
  },
  menu: {
    label: 'Your account',
    account: 'Account',
    donations: 'Donations',
    deposits: 'Open payments',
    notifications: 'Notifications',
    signOut: 'Sign out',
  },
  account: {
    saved: 'Saved.',
    profile: 'Profile',
    save: 'Save',
    confirmed: 'Confirmed',
    notConfirmed: 'Not confirmed',
    confirm: 'Confirm it now',
    noEmail: 'None: you sign in with your wallet.',
  },
  wallets: {
    title: 'Wallets',
    lead: 'A linked wallet signs you in. Payments from it that guests recorded become your donations. You can claim the others.',
    empty: 'No wallet is linked yet.',
    caption: 'Your linked wallets',
    columns: ['Address', 'Linked'] satisfies readonly [address: string, linked: string],
    linked: 'The wallet is linked.',
    unlink: (address: string) => `Unlink ${address}`,
    unlinkShort: 'Unlink',
    link: 'Link a wallet',
    noScript: 'Linking a wallet needs JavaScript.',
    copy: { copy: 'Copy the address', copied: 'Address copied' },
  },
  sessions: {
    title: 'Where you are signed in',
    caption: 'Your open sessions',
    columns: ['Program', 'End'] satisfies readonly [program: string, action: string],
    since: 'Since',
    until: 'until',
    unknown: 'Unknown program',
    current: 'This browser',
    end: 'End',
    endOf: (program: string) => `End the session of ${program}`,
    everywhere: 'Sign out everywhere',
    ended: 'The session has ended.',
  },
  password: {
    current: 'Current password',
    change: 'Change the password',
    set: 'Set a password',
    lead: 'All other sessions end then.',
    changed: 'Your password is changed, and all other sessions have ended.',
  },
  list: { pages: 'Pages of the list', older: 'Older', newest: 'Newest' },
  donations: {
    title: 'Your donations',
    lead: 'Each donation has a page that shows where it is, with its proof.',
    empty: 'You have not given yet.',
    toCampaigns: 'See the campaigns',
    caption: 'Your donations, the newest first',
    columns: ['Campaign', 'State', 'When', 'Amount'] satisfies readonly [
      campaign: string,
      state: string,
      when: string,
      amount: string,
    ],
    missing: 'Is a donation missing?',
    linkWallet: 'Link the wallet that paid it.',
  },
  deposits: {
    lead: 'Your wallets have sent these payments to campaigns, and no donation belongs to them yet. Claim a payment, and it becomes your donation.',
    empty: 'Every payment from your wallets belongs to a donation.',
    noWallet: 'Link the wallet that you paid with. Then its payments are here.',
    caption: 'Payments without a donation, the newest first',
    columns: ['Campaign', 'When', 'Amount', 'Claim'] satisfies readonly [
      campaign: string,
      when: string,
      amount: string,
      action: string,
    ],
    from: 'From',
    claim: 'Claim',
    claimOf: (amount: string) => `Claim ${amount}`,
    tooEarly: 'Came before the campaign opened',
    /** The list of payments that belong to donations. */
    claimed: {
      title: 'Payments with a donation',
      lead: 'Your wallets have sent these payments, and each belongs to a donation. If a stranger has claimed your payment, claim it back.',
      empty: 'No payment from your wallets belongs to a donation yet.',
    },
  },
  notifications: {
    empty: 'There are no notifications yet.',
    unread: 'New',
    markAll: 'Mark all as read',
    donation: 'See the donation',
    campaign: 'See the campaign',
  },
  signInWallet: { ...wallet, button: 'Sign in with {wallet}' },
  linkWallet: { ...wallet, button: 'Link {wallet}' },
}

/** The texts of sign-in and account in one language. */
export type AccountTexts = typeof en

/** The names of the fields in forms of this area. */
export type FieldName = keyof AccountTexts['rules']
