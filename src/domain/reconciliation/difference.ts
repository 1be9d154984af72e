import type { ledgerDifference } from '../../db/schema/reconciliation.ts'

/**
 * The kinds of differences, each with its `expected` and its `actual` amount in base units.
 *
 * - `balance`: an account's balance by its known transfers, and its balance on the chain.
 * - `transfer_unknown`: the amount of a stored transfer that is not in its block, and 0.
 * - `transfer_differs`: the stored and the real amount. Asset, sender or block may also differ.
 * - `custody`: an account's custody of an asset, and the sum of the account's final transfers.
 * - `credits`: a campaign's raised amount (held, released), and the sum of its completed donations.
 * - `current_amount`: a campaign's raised amount, and its stored total.
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

/** These kinds concern no single block, so the key of such a difference has no block number. */
const OF_BOOKS: ReadonlySet<DifferenceKind> = new Set(['custody', 'credits', 'current_amount'])

export type DifferenceRow = Omit<typeof ledgerDifference.$inferSelect, 'kind'> & {
  kind: DifferenceKind
}

/** A difference that a comparison found. It arose in a block from `firstBlock` to `blockNumber`. */
export type FoundDifference = Omit<
  DifferenceRow,
  'id' | 'chainId' | 'runId' | 'openedAt' | 'resolvedAt' | 'resolution' | 'expected' | 'actual'
> & { expected: bigint; actual: bigint }

/** A difference that was opened earlier and is not resolved. */
export type OpenDifference = Pick<
  DifferenceRow,
  'id' | 'kind' | 'campaignId' | 'account' | 'assetId' | 'blockNumber' | 'firstBlock' | 'txHash'
>

/** Returns the identity of a difference: two findings with the same key are the same difference. */
export const keyOfDifference = (difference: Omit<OpenDifference, 'id' | 'firstBlock'>): string => {
  const { kind, campaignId, account, assetId, blockNumber, txHash } = difference
  const block = OF_BOOKS.has(kind) ? '' : blockNumber
  return [kind, campaignId ?? '', account, assetId, block, txHash ?? ''].join(' ')
}

/** Describes a balance that changed between `firstBlock` and `blockNumber` without a transfer. */
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
