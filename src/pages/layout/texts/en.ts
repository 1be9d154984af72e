import type { LayoutTexts } from './texts.ts'

export const en: LayoutTexts = {
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
  notLive: 'Not live since {time}. Retrying…',
}
