import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../../db/context.ts'
import type { ObservedEscrowEvent } from '../follow-escrow/record-events.ts'
import { mergeSame } from './compare-transfers.ts'
import type { FoundDifference } from './difference.ts'

type Row = ObservedEscrowEvent & { campaignId: string; assetId: string }

/**
 * Compares the stored events of escrows in a range of final blocks with the events that the scan
 * found there. Names stored events that no block has, or that the block has with other values.
 */
export const compareEscrowEvents = async (
  ctx: Context,
  { chainId, from, to }: { chainId: number; from: number; to: number },
  found: readonly ObservedEscrowEvent[],
): Promise<FoundDifference[]> => {
  const stored = await ctx.sql<Row[]>`
    select event.*, campaign.currency_id as asset_id
    from escrow_event event join campaign on campaign.id = event.campaign_id
    where event.chain_id = ${chainId} and event.block_number is not null
      and (event.block_number between ${from} and ${to}
        or event.tx_hash = any(${[...new Set(found.map(({ txHash }) => txHash))]}))`
  const byPlace = new Map(found.map((event) => [placeOf(event), event]))
  return mergeSame(
    stored.flatMap((row) => {
      const actual = byPlace.get(placeOf(row))
      if (actual && isDeepStrictEqual(valuesOf(row), valuesOf(actual))) return []
      const { campaignId, account, assetId, blockHash, txHash, kind } = row
      const blockNumber = actual?.blockNumber ?? row.blockNumber
      const truth = actual
        ? `the chain says ${JSON.stringify(valuesOf(actual))}`
        : 'no block has it'
      return {
        ...{ kind: 'escrow_event' as const, campaignId, account, assetId, blockHash, txHash },
        ...{ blockNumber, firstBlock: blockNumber },
        ...{ expected: amountOf(row), actual: actual ? amountOf(actual) : 0n },
        note: `Transaction ${txHash}, position ${row.position}: the event ${kind} is stored, ${truth}.`,
      }
    }),
  )
}

const placeOf = ({ txHash, position }: ObservedEscrowEvent): string => `${txHash} ${position}`

const valuesOf = (event: ObservedEscrowEvent) => {
  const { account, kind, fields, blockNumber, blockHash, minedAt } = event
  return { account, kind, fields, blockNumber, blockHash, minedAt }
}

const amountOf = ({ fields }: ObservedEscrowEvent): bigint =>
  'amount' in fields ? BigInt(fields.amount) : 0n
