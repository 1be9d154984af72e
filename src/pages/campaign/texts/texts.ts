import type {
  CampaignStatus,
  DonationStatus,
  LedgerAccountKind,
  LedgerEntryKind,
} from '../../../kernel/statuses.ts'
import type { CopyTexts } from '../../components/hash.tsx'

type Notice = { title: string; text: string }

/** The texts of a campaign's pages. Amounts arrive with their currency, counts as numbers. */
export type CampaignTexts = {
  copy: CopyTexts
  by: (name: string) => string
  status: Record<CampaignStatus, string>
  /** What concerns the whole campaign. */
  notices: Record<
    'draft' | 'unproven' | 'halted' | 'funded' | 'completed' | 'cancelled' | 'failed' | 'refunding',
    Notice
  > & { stalled: (since: string) => Notice }

  raisedOf: (target: string) => string
  progress: (money: { raised: string; target: string }) => string
  waiting: (money: string) => string
  released: string
  locked: string
  refunded: string
  ends: string
  deadline: string
  donate: string
  account: (chain: string) => string
  ownAccount: string
  escrowAccount: string
  toEscrow: string

  milestones: string
  milestone: (number: number) => string
  milestoneStates: {
    /** `missing` is the money until the milestone is reached. */
    pending: (missing: string) => string
    reached: string
    verified: string
    released: string
    rejected: string
  }
  verifiedOn: (day: string) => string
  releasedOn: (day: string) => string
  releaseNow: string
  milestonesInFull: string
  promisedEvidence: string

  donations: string
  noDonations: string
  noDonationsOfState: string
  allDonations: string
  state: string
  when: string
  amount: string
  /** The states of a donation. */
  donationStates: Record<DonationStatus | 'promised', string>
  confirming: (confirmations: string, required: string) => string
  anyState: string
  filter: string
  newest: string
  older: string
  pages: string

  updates: string
  noUpdates: string
  allUpdates: string
  media: (number: number) => string
  changedOn: (day: string) => string

  ledger: string
  ledgerIntro: string
  noEntries: string
  entries: string
  entry: string
  entryKinds: Record<LedgerEntryKind, string>
  accounts: Record<LedgerAccountKind, string>
  /** The names of two ledger accounts: money enters the first, and leaves the second. */
  debitCredit: (debit: string, credit: string) => string
  reverses: (entry: string) => string
  transaction: string
  seal: string
  sealIntro: string
  noSeal: string
  sealed: (entries: string, total: string) => string
  head: string
  globalHead: string
  sealNumber: string
  sealedAt: string
  signingKey: string
  keepHead: string
  backToCampaign: string
}
