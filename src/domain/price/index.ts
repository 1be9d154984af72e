export { type Converted, convertTransfer } from './convert-transfer.ts'
export { andPricesAreRead, listNeededPrices } from './list-needed-prices.ts'
export { prunePrices } from './prune-prices.ts'
export { recordPrices } from './record-prices.ts'
export { loadPrices, type PriceSource, type StoredPrices } from './stored-prices.ts'
export {
  countUnpriced,
  PRICE_FAILURE_REASONS,
  postponeUnpriced,
  waitForPrice,
} from './wait-for-price.ts'
