import type { EscrowAction } from '../../../domain/escrow/index.ts'
import type { EscrowFailure } from '../../../kernel/statuses.ts'
import type { CopyTexts } from '../../components/hash.tsx'
import type { SendTexts } from '../../shared/send-state.ts'

type Notice = { title: string; text: string }

/** The texts of the page of an escrow, and of ready transactions. */
export type EscrowTexts = {
  title: string
  intro: string
  states: Record<'funding' | 'active' | 'done', Notice> & { failed: string }
  /** Why the escrow gives money back. */
  reasons: Record<EscrowFailure, string>

  locked: string
  released: string
  refunded: string
  refundable: string
  balanceAt: (block: string) => string

  terms: string
  termsNote: string
  contract: string
  notDeployed: string
  recipient: string
  recipientNote: string
  token: string
  deadline: string
  deadlineNote: string
  activateBy: string
  activateByNote: string
  expiry: string
  expiryNote: string
  verifiers: string
  verifiersNote: string
  quorum: string
  /** Both are numbers as text. */
  quorumOf: (quorum: string, verifiers: string) => string
  surplus: string
  surplusTo: Record<'recipient' | 'donors', string>
  codeProven: string
  codeNotProven: string

  /** The smallest number of verifiers that pay a milestone, if it is not 1. */
  leastVerifiers: (count: string) => string
  /** The sum of the milestones that one verifier can release. */
  oneVerifier: (money: string) => string
  /** After `oneVerifier`, if the surplus is the recipient's. */
  alsoLeft: string
  milestones: string
  milestone: string
  milestoneNumber: (number: number) => string
  state: string
  signatures: string
  amount: string

  refunds: string
  refundsIntro: string
  recordedRefunds: string
  plainReturns: string
  /** After the last milestone. */
  assetReturns: string

  /** The search for the refunds of an account. */
  search: {
    lead: string
    account: string
    find: string
    none: string
    roads: Record<'on_chain' | 'by_verifiers', string>
  }

  transactions: string
  transactionsIntro: string
  noTransactions: string
  actions: Record<EscrowAction | 'release', Notice>

  transaction: {
    data: string
    chain: string
    to: string
    payload: string
    value: string
    from: string
    validUntil: string
    call: (number: string) => string
    /** `gas` is a number as text. */
    works: (gas: string) => string
    fails: string
    untried: string
    copy: CopyTexts
  }
  send: SendTexts
}
