export { type Converted, convertTransfer } from './convert-transfer.ts'
export { andPricesAreRead, listNeededPrices } from './list-needed-prices.ts'
export { loadPrices, prunePrices, recordPrices, type StoredPrices } from './stored-prices.ts'
export {
  countUnpriced,
  LONGEST_RETRY_MS,
  nextCheck,
  postponeUnpriced,
  waitForPrice,
} from './wait-for-price.ts'
