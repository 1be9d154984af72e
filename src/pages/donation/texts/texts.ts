import type { DONATION_REASONS } from '../../../domain/donation/index.ts'

/** Donations that only wait for finality have a sentence of their own. */
export type DonationReason = Exclude<(typeof DONATION_REASONS)[number], 'waiting_for_finality'>

/** The steps of a donation, in their order. */
export const STEP_KEYS = ['promised', 'sent', 'in_block', 'credited', 'sealed', 'proven'] as const
export type StepKey = (typeof STEP_KEYS)[number]

/** Why a donation waits or ended, and what happens next or what the donor can do. */
type ReasonText = { why: string; next: string }

/** The texts of a donation's page. Amounts arrive with their currency. */
export type DonationTexts = {
  title: (money: string, campaign: string) => string
  state: string
  steps: Record<StepKey, string>
  marks: { done: string; now: string; next: string; bad: string }

  /** In a block that is not final. `minutes` is null if the time is unknown. */
  confirming: (block: string, minutes: number | null) => string
  confirmations: (count: string, required: string) => string
  credited: (money: string) => string
  proven: string
  sealing: string
  worthless: string
  paidBack: (money: string) => string
  partlyPaidBack: (money: string) => string
  nextLook: (time: string) => string
  /** Instead of how to pay, once the campaign takes no donations. */
  closed: string
  /** In the same place, if the escrow would not record the payment. */
  unrecorded: string
  reasons: Record<DonationReason, ReasonText>

  notes: {
    under: (declared: string, arrived: string) => string
    over: (declared: string, arrived: string) => string
    other_asset: (declared: string, arrived: string) => string
    late: string
    discrepancy: (declared: string, arrived: string) => string
    replaced: string
    onChain: string
    byVerifiers: string
  }

  facts: {
    title: string
    promised: string
    arrived: string
    counts: string
    paidBack: string
    refund: string
    price: (price: string, pair: string) => string
    priceFixed: string
    priceFeed: string
    donor: string
    anonymous: string
    hidden: string
    account: string
    firstTransaction: string
    replacedBy: string
    entries: string
    seal: (number: string, time: string) => string
    sealKey: string
    sealHead: string
    recorded: string
    number: string
  }

  /** The refund of an escrow that gives money back. */
  refund: {
    title: string
    ready: string
    /** The contract did not record the payment. */
    unsigned: (signatures: string) => string
    /** In a block that is not final. */
    sent: string
    done: string
    to: string
    /** The link to the same page with the transaction. */
    show: string
    /** After the wallet has sent the transaction. */
    posted: string
  }

  /** For a guest, who has no account. */
  guest: { title: string; keep: string; signIn: string; claim: string }

  check: { title: string; lead: string; download: string; keep: string }

  receipt: {
    title: string
    print: string
    notYet: string
    notYetText: string
    none: string
    noneText: string
    creditedAt: string
    of: string
    scan: string
    statement: string
    issued: (time: string) => string
    back: string
  }
}
