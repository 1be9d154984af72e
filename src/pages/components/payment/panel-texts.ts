import type { Problem } from '../../shared/payment-machine.ts'

/** The label of the button in each state. */
export type PanelButton =
  | 'show'
  | 'connect'
  | 'connecting'
  | 'switch'
  | 'switching'
  | 'pay'
  | 'checking'
  | 'intent'
  | 'confirm'
  | 'sent'

/**
 * The texts of the payment panel. They go to the browser, so a text has names in braces for the
 * values that only the browser knows: `{wallet}`, `{amount}`, `{currency}` and `{from}`.
 */
export type PanelTexts = {
  legend: string
  looking: string
  noWallet: string
  byPhone: string
  /** For an escrow, before links to wallet apps. */
  openIn: string
  /** For an escrow: a donor pays from an own wallet, and not from an exchange. */
  ownWallet: string
  browserWallet: string
  phone: string
  phoneHint: string
  address: string
  addressHint: string
  button: Record<PanelButton, string>
  cancel: string
  startAgain: string
  connected: string
  switchHint: string
  confirmHint: string
  slow: string
  sent: string
  signers: string
  toDonation: string
  problems: Record<Problem, string>
  walletSays: string
}
