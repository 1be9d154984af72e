import type { Context } from '../../../db/context.ts'
import type { chainTransfer } from '../../../db/schema/chains.ts'
import { isInternal } from '../../../kernel/formats/log-position.ts'
import { formatUnits } from '../../../kernel/money/money.ts'
import type { ObservedTransfer } from '../chain/record-transfers.ts'
import type { FoundDifference } from './difference.ts'
import { campaignAt, type WatchedCampaigns } from './watched-campaigns.ts'

export type ScannedTransfers = {
  chainId: number
  /** The first and the last block of the range. */
  from: number
  to: number
  /** All transfers to campaign accounts that the scan found in the blocks. */
  found: readonly ObservedTransfer[]
  /** Whether the scan included payments in the native currency. */
  native: boolean
}

type TransferComparison = {
  /** Transfers that are on the chain but not stored. The caller must record them. */
  missing: ObservedTransfer[]
  differences: FoundDifference[]
  /** All known income: the found transfers, and stored internal payments that were not found. */
  inflows: Inflow[]
}

type Inflow = {
  account: string
  assetId: string
  blockNumber: number
  amount: bigint
  /** Whether a call within a transaction made this payment (an internal payment). */
  byCalls: boolean
}

type Row = Omit<
  typeof chainTransfer.$inferSelect,
  'id' | 'chainId' | 'generation' | 'announceAt' | 'seenAt'
>

/**
 * Compares the transfers found in a range of final blocks with the stored transfers. A transfer
 * before the first campaign of its account belongs to no campaign, so it is never missing.
 */
export const compareTransfers = async (
  ctx: Context,
  scanned: ScannedTransfers,
  watched: WatchedCampaigns,
): Promise<TransferComparison> => {
  const stored = await readStored(ctx, scanned)
  const byKey = new Map(stored.map((row) => [keyOf(row.txHash, row.position, row.recipient), row]))
  // A row whose block a reorg removed shows nothing. If its payment is found again, it is missing.
  const shownBefore = new Set(
    stored
      .filter((row) => row.blockNumber !== null && isByTraces(row))
      .map((row) => `${row.txHash} ${row.recipient}`),
  )
  const comparison: TransferComparison = { missing: [], differences: [], inflows: [] }
  for (const found of scanned.found) {
    // Skips internal payments of a transaction if some are stored already, because a trace and a
    // balance can split one payment differently.
    if (isByTraces(found) && shownBefore.has(`${found.txHash} ${found.recipient}`)) continue
    const key = keyOf(found.txHash, found.position, found.recipient)
    const row = byKey.get(key)
    byKey.delete(key)
    comparison.inflows.push(inflowOf(found))
    if (!row || row.blockNumber === null) {
      if (campaignAt(watched, found.recipient, found) !== null) {
        comparison.missing.push(found)
      }
      continue
    }
    const note = contradiction(ctx, row, found)
    if (note === null) continue
    comparison.differences.push(
      differenceOf(watched, row, 'transfer_differs', found.amount, note, found.blockNumber),
    )
  }
  for (const row of byKey.values()) compareUnseen(ctx, scanned, watched, row, comparison)
  return { ...comparison, differences: mergeSame(comparison.differences) }
}

/** Reports a stored transfer that was not found, but counts an internal payment as income. */
const compareUnseen = (
  ctx: Context,
  scanned: ScannedTransfers,
  watched: WatchedCampaigns,
  row: Row,
  comparison: TransferComparison,
): void => {
  const blockNumber = row.blockNumber
  if (blockNumber === null || blockNumber < scanned.from || blockNumber > scanned.to) return
  if (isByTraces(row)) {
    comparison.inflows.push(inflowOf({ ...row, blockNumber, amount: BigInt(row.amount) }))
    return
  }
  if (!scanned.native && ctx.settings.assets.byId(row.assetId).kind === 'native') return
  const note = `Block ${blockNumber} holds no counted transfer at position ${row.position} of transaction ${row.txHash}.`
  comparison.differences.push(differenceOf(watched, row, 'transfer_unknown', 0n, note, blockNumber))
}

type Arrived = Omit<ObservedTransfer, 'txHash' | 'source' | 'sender' | 'blockHash' | 'minedAt'>

const inflowOf = ({ recipient, position, assetId, blockNumber, amount }: Arrived): Inflow => ({
  ...{ account: recipient, assetId, blockNumber, amount },
  byCalls: isInternal(position),
})

/** Whether a trace or a balance showed this internal payment. Receipts show no such payments. */
const isByTraces = ({ source, position }: Pick<ObservedTransfer, 'source' | 'position'>): boolean =>
  isInternal(position) && (source === 'trace' || source === 'balance')

/** Reads the stored transfers in the range, and all stored transfers of found transactions. */
const readStored = (
  ctx: Context,
  { chainId, from, to, found }: ScannedTransfers,
): Promise<Row[]> => ctx.sql<Row[]>`
  select tx_hash, position, source, asset_id, sender, recipient, amount,
         block_number, block_hash, mined_at
  from chain_transfer
  where chain_id = ${chainId} and block_number between ${from} and ${to}
  union
  select tx_hash, position, source, asset_id, sender, recipient, amount,
         block_number, block_hash, mined_at
  from chain_transfer
  where chain_id + 0 = ${chainId}
    and tx_hash = any(${[...new Set(found.map((transfer) => transfer.txHash))]})`

const keyOf = (txHash: string, position: number, recipient: string): string =>
  `${txHash} ${position} ${recipient}`

/** Describes how a stored transfer differs from the chain. Returns null if nothing differs. */
const contradiction = (ctx: Context, row: Row, found: ObservedTransfer): string | null => {
  const { assets } = ctx.settings
  const money = (assetId: string, units: bigint | string): string => {
    const asset = assets.byId(assetId)
    return `${formatUnits(BigInt(units), asset.decimals)} ${asset.symbol}`
  }
  const where = `Transaction ${row.txHash}, position ${row.position}`
  if (row.assetId !== found.assetId || BigInt(row.amount) !== found.amount) {
    const [stored, chain] = [money(row.assetId, row.amount), money(found.assetId, found.amount)]
    return `${where}: ${stored} is stored, the chain says ${chain}.`
  }
  if (row.sender !== found.sender) {
    return `${where}: it is stored as sent by ${row.sender}, the chain says ${found.sender}.`
  }
  if (row.blockHash !== found.blockHash || row.blockNumber !== found.blockNumber) {
    return `${where}: it is stored in block ${row.blockNumber} (${row.blockHash}), the chain has it in ${found.blockNumber} (${found.blockHash}).`
  }
  if (row.minedAt?.getTime() !== found.minedAt.getTime()) {
    return `${where}: it is stored as mined at ${row.minedAt?.toJSON()}, the chain says ${found.minedAt.toISOString()}.`
  }
  return null
}

const differenceOf = (
  watched: WatchedCampaigns,
  row: Row,
  kind: 'transfer_unknown' | 'transfer_differs',
  actual: bigint,
  note: string,
  blockNumber: number,
): FoundDifference => ({
  kind,
  campaignId: campaignAt(watched, row.recipient, {
    minedAt: row.minedAt ?? new Date(0),
    blockNumber,
  }),
  account: row.recipient,
  assetId: row.assetId,
  blockNumber,
  firstBlock: blockNumber,
  blockHash: row.blockHash,
  txHash: row.txHash,
  expected: BigInt(row.amount),
  actual,
  note,
})

/** Adds up differences of the same kind, transaction, account, asset and block. */
export const mergeSame = (differences: readonly FoundDifference[]): FoundDifference[] => {
  const merged = new Map<string, FoundDifference>()
  for (const difference of differences) {
    const key = `${difference.kind} ${difference.txHash} ${difference.account} ${difference.assetId} ${difference.blockNumber}`
    const other = merged.get(key)
    merged.set(
      key,
      other === undefined
        ? difference
        : {
            ...other,
            expected: other.expected + difference.expected,
            actual: other.actual + difference.actual,
            note: `${other.note} ${difference.note}`,
          },
    )
  }
  return [...merged.values()]
}
