export const en = {
  name: 'Fundproof',
  description: 'Crowdfunding whose every credited cent is proven by a public blockchain.',
  skip: 'Skip to the content',
  menu: 'Main menu',
  campaigns: 'Campaigns',
  check: 'Check a proof',
  account: 'Account',
  signIn: 'Sign in',
  more: 'More',
  promise: 'Fundproof never holds the money. It keeps books that everyone can check.',
  status: 'Status',
  api: 'For developers',
  language: 'Language',
  theme: 'Colours',
  themes: { auto: 'As the device', light: 'Light', dark: 'Dark' },
  /** The browser replaces `{time}` with the time in its own zone. */
  notLive: 'Not live since {time}. Retrying…',
}

/** The texts around every page. */
export type LayoutTexts = typeof en
