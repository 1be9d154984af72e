/** The ledger, totals and prices, the seals over the ledger, and proofs. */

export { checkBooks, checkLedger, checkSeals } from './check/check-books.ts'
export { type Arrived, arrivedOfDonation } from './ledger/arrived-of-donation.ts'
export { campaignOfTransfer, isOfCampaign } from './ledger/campaign-of-transfer.ts'
export { checkSlice } from './ledger/check/check-ledger.ts'
export { isEscrowedAsset, isPaidBack } from './ledger/escrow-income.ts'
export { lastChange } from './ledger/last-change.ts'
export { type LedgerEntryView, listEntries } from './ledger/list-entries.ts'
export { hasOpened, isAfterOpening, openingOrder, openingTime } from './ledger/opening.ts'
export { type Credit, postCredits } from './ledger/post-credits.ts'
export { type Deposit, postDeposits } from './ledger/post-deposits.ts'
export { type Line, postLines } from './ledger/post-lines.ts'
export { type Flows, readFlows } from './ledger/read-flows.ts'
export { releaseMilestone } from './ledger/release-milestone.ts'
export { reverseCredits, reverseEscrowEntries } from './ledger/reverse-credits.ts'
export { type Converted, convertTransfer } from './price/convert-transfer.ts'
export { andPricesAreRead, listNeededPrices } from './price/list-needed-prices.ts'
export { loadPrices, prunePrices, recordPrices, type StoredPrices } from './price/stored-prices.ts'
export {
  countUnpriced,
  LONGEST_RETRY_MS,
  nextCheck,
  postponeUnpriced,
  waitForPrice,
} from './price/wait-for-price.ts'
export { getProof, provenDonation } from './proof/get-proof.ts'
export { findNewestProof, type NewestProof } from './proof/newest-proof.ts'
export {
  type ChainEvidence,
  type ClaimedProofs,
  claimProofs,
  clampProofs,
  type DueProof,
  type FetchedProof,
  queueProofs,
  returnProofs,
  storeProofs,
} from './proof/proof-queue.ts'
export { type Journal, keyOf, type Part, type Progress } from './ranges/run-parts.ts'
export { checkSince, type SinceCheck } from './seal/check-since.ts'
export { getLedgerHead, type LedgerHead, listLedgerHeads } from './seal/ledger-head.ts'
export { findLostHead, listLostHeads, startEpoch } from './seal/lost-heads.ts'
export {
  parseRememberedHeads,
  parseSignedHead,
  type RememberedHead,
  SignedHead,
} from './seal/remembered-heads.ts'
export {
  type EntryRange,
  LOOK_BACK,
  type NewSeal,
  rangeToSeal,
  sealEntries,
} from './seal/seal-entries.ts'
export { listLastHeads, listSealKeys, rotateSealKey } from './seal/seal-keys.ts'
export { signedStatement, signStatement } from './seal/statements.ts'
export { type MoneyView, moneyOf } from './total/money-of.ts'
export { addToTotals, takeFromTotals } from './total/move-totals.ts'
export { type ProvenTotal, readProvenTotals } from './total/proven-total.ts'
export { crossThresholds } from './total/thresholds.ts'
