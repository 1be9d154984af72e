import type { PanelTexts } from '../../components/payment/panel-texts.ts'

/** The refusals of the forms that have a sentence of their own. */
export const REFUSALS = [
  'amount',
  'currency',
  'wallet',
  'ownAccount',
  'name',
  'message',
  'transaction',
  'closed',
  'blocked',
  'tooMany',
  'limited',
  'unverified',
  'claimed',
  'early',
  'unknownPayment',
  'paidOrCancelled',
  'unavailable',
  'other',
] as const
export type Refusal = (typeof REFUSALS)[number]

/** The texts of the pages that take a donation. */
export type DonateTexts = {
  title: (campaign: string) => string
  errors: string
  refusals: Record<Refusal, string>
  amount: string
  currency: string
  suggestions: string
  countsAs: (currency: string) => string
  rate: (values: { one: string; about: string }) => string
  words: string
  name: string
  message: string
  wordsHint: string
  alreadyPaid: string
  /** `escrow` is the reason if the escrow of an open campaign records no more donors. */
  closed: { title: string; what: string; escrow: string }
  summary: {
    title: string
    raised: (values: { raised: string; target: string }) => string
    account: string
    network: string
    direct: string
    escrow: (values: { deadline: string }) => string
  }
  copy: { address: string; amount: string; copied: string }
  /** Returns the texts of the panel. `network` and `coin` belong to the campaign's chain. */
  panel: (values: {
    network: string
    networkId: string
    coin: string
    account: string
  }) => PanelTexts
  /** Whose a payment is. */
  whose: string
  how: {
    title: string
    send: (values: { amount: string; network: string }) => string
    contested: (values: { amount: string }) => string
    fromWallet: string
    fromNamed: string
    token: string
    account: string
    wallet: string
    until: string
    late: string
    open: string
    check: (values: { amount: string; account: string }) => string
    codeLabel: (values: { amount: string; account: string; network: string }) => string
    bareTitle: string
    bare: (values: { amount: string; network: string }) => string
    bareLabel: (values: { account: string }) => string
    panelTitle: string
    hashTitle: string
    hashHint: string
    hash: string
    hashButton: string
    cancel: string
    cancelHint: string
  }
  paid: {
    title: (campaign: string) => string
    lead: string
    transaction: string
    transactionHint: string
    notInBlockHint: string
    wallet: string
    button: string
    seeDonation: string
    claimLink: string
  }
}
