export { checkSeals, type RememberedHead, type SealCheck } from './check-seals.ts'
export { type SealedEntries, sealedEntriesOf } from './entries-of.ts'
export { getLedgerHead, type LedgerHead } from './ledger-head.ts'
export { parseRememberedHeads } from './remembered-heads.ts'
export {
  type EntryRange,
  type NewSeal,
  rangeToSeal,
  type Sealing,
  sealEntries,
} from './seal-entries.ts'
export { addSealKey, listSealKeys } from './seal-keys.ts'
