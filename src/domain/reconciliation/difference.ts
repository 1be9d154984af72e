/**
 * What can fail to add up. In each of them `expected` is what the ledger says and `actual` what was
 * found in its place, both in base units of the asset.
 *
 * - `balance`: what an account holds at a block, by what is known to have gone in and out, and by the chain.
 * - `transfer_unknown`: a stored transfer that its block does not hold, or of which nothing counts (`actual` is 0).
 * - `transfer_differs`: a stored transfer whose amount, asset, sender or block the chain contradicts.
 * - `custody`: what the ledger holds of an asset for an account, and the sum of its final transfers.
 * - `credits`: what a campaign raised (held and released), and the sum of its completed donations.
 * - `current_amount`: what a campaign raised, and its stored total.
 */
export const DIFFERENCE_KINDS = [
  'balance',
  'transfer_unknown',
  'transfer_differs',
  'custody',
  'credits',
  'current_amount',
] as const
export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number]

/** Kinds that are about our books as a whole, not about one block: at most one is open of each. */
const OF_BOOKS: ReadonlySet<DifferenceKind> = new Set(['custody', 'credits', 'current_amount'])

/** Something that does not add up now. */
export type FoundDifference = {
  kind: DifferenceKind
  campaignId: string | null
  account: string
  assetId: string
  blockNumber: number
  /** Lower where it is only known that it happened in one of these blocks. */
  firstBlock: number
  blockHash: string | null
  txHash: string | null
  expected: bigint
  actual: bigint
  note: string
}

/** One that was opened before and is not resolved. */
export type OpenDifference = {
  id: string
  kind: DifferenceKind
  campaignId: string | null
  account: string
  assetId: string
  blockNumber: number
  firstBlock: number
  txHash: string | null
}

/** What makes two findings the same difference. */
export const keyOfDifference = (difference: Omit<OpenDifference, 'id' | 'firstBlock'>): string => {
  const { kind, campaignId, account, assetId, blockNumber, txHash } = difference
  const block = OF_BOOKS.has(kind) ? '' : blockNumber
  return [kind, campaignId ?? '', account, assetId, block, txHash ?? ''].join(' ')
}
