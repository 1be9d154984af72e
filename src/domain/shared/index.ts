/** Small parts that several wings use. */

export {
  type BlockRef,
  type ChainState,
  lockChainIfSynced,
  lockChainRow,
  toState,
} from './chain-row.ts'
export { databaseNow, databaseTimeIn } from './database-time.ts'
export { type Difference, isUnexplained } from './difference.ts'
export { Evidence, evidenceOf, StoredEvidence } from './evidence.ts'
export { holdAccount } from './hold-account.ts'
export { dayOrMoment, Moment } from './moment.ts'
export { decimalTextOf, moneyText } from './money-input.ts'
export {
  decodeCursor,
  EXCERPT_LENGTH,
  encodeCursor,
  excerptOf,
  type Keyset,
  type List,
  MAX_COUNTED,
  MAX_PAGE_SIZE,
  ofStatus,
  type Page,
  PageQuery,
  readOn,
  readPage,
  severalOf,
  withStatus,
} from './page.ts'
export { PublicName, publicText } from './public-text.ts'
export { requireUser, requireVerifier } from './require-user.ts'
export { isWorthMoreThan, requiredVerifiers } from './required-verifiers.ts'
export { isVerifiedUser } from './verified-user.ts'
export { WebUrl } from './web-url.ts'
