import type { ledgerDifference } from '../../../db/schema/reconciliation.ts'

/**
 * The kinds of differences. Each kind compares the first amount (`expected`) with the second amount
 * (`actual`), both in base units:
 * - `balance`: an account's balance by the known transfers, and its balance on the chain.
 * - `transfer_unknown`: the amount of a stored transfer, and 0 because its block does not have it.
 * - `transfer_differs`: a transfer's stored amount, and its amount on the chain. The two can be
 *   equal if the asset, the sender or the block differs.
 * - `escrow_event`: the amount of a stored event of an escrow, and its amount on the chain. The two
 *   can be equal if another value differs.
 * - `custody`: an account's custody of an asset, and the sum of the account's final transfers.
 * - `escrow`: an escrow's custody of a token at a block, and its balance after this block.
 * - `credits`: a campaign's raised amount in the ledger, and the sum of its completed donations.
 * - `current_amount`: a campaign's raised amount in the ledger, and its stored total.
 */
export const DIFFERENCE_KINDS = [
  'balance',
  'transfer_unknown',
  'transfer_differs',
  'escrow_event',
  'custody',
  'escrow',
  'credits',
  'current_amount',
] as const
type DifferenceKind = (typeof DIFFERENCE_KINDS)[number]

/** Differences of these kinds do not belong to one block, so their keys have no block number. */
export const OF_BOOKS: ReadonlySet<DifferenceKind> = new Set([
  'custody',
  'escrow',
  'credits',
  'current_amount',
])

export type DifferenceRow = Omit<typeof ledgerDifference.$inferSelect, 'kind'> & {
  kind: DifferenceKind
}

/** A difference that a comparison of the blocks `firstBlock` to `blockNumber` found. */
export type FoundDifference = Omit<OpenDifference, 'id'> &
  Pick<DifferenceRow, 'blockHash' | 'note'> & { expected: bigint; actual: bigint }

/** A stored difference that is not resolved. */
export type OpenDifference = Pick<
  DifferenceRow,
  'id' | 'kind' | 'campaignId' | 'account' | 'assetId' | 'blockNumber' | 'firstBlock' | 'txHash'
>

/** Returns the key of a difference. Two findings with the same key are the same difference. */
export const keyOfDifference = (difference: Omit<OpenDifference, 'id' | 'firstBlock'>): string => {
  const { kind, campaignId, account, assetId, blockNumber, txHash } = difference
  const block = OF_BOOKS.has(kind) ? '' : blockNumber
  return [kind, campaignId ?? '', account, assetId, block, txHash ?? ''].join(' ')
}

/** Describes a balance that changed from `firstBlock` to `blockNumber` without a known transfer. */
export const balanceDifference = (
  found: Omit<FoundDifference, 'kind' | 'txHash' | 'note'>,
): FoundDifference => {
  const { firstBlock, blockNumber } = found
  const note =
    firstBlock === blockNumber
      ? `The balance changed in block ${firstBlock} without a transfer that explains it.`
      : `The balance changed in blocks ${firstBlock} to ${blockNumber} without a transfer that explains it; no node has the states between them.`
  return { ...found, kind: 'balance', txHash: null, note }
}
