export { checkSeals, checkSince, type SinceCheck } from './check-seals.ts'
export { sealedEntriesOf } from './entries-of.ts'
export { getLedgerHead, type LedgerHead } from './ledger-head.ts'
export { findLostHead, type LostHead, listLostHeads, startEpoch } from './lost-heads.ts'
export {
  parseRememberedHeads,
  parseSignedHead,
  type RememberedHead,
  type SignedHead,
} from './remembered-heads.ts'
export {
  type EntryRange,
  LOOK_BACK,
  type NewSeal,
  rangeToSeal,
  sealEntries,
} from './seal-entries.ts'
export { addSealKey, listLastHeads, listSealKeys, rotateSealKey } from './seal-keys.ts'
export { signedStatement, signStatement } from './statements.ts'
