import {
  type CallFrame,
  type ChainClient,
  ChainError,
  type ChainErrorCode,
  findInternalPayments,
  type Hash,
  type Header,
  sumOf,
  tracedOutflow,
} from '../../../src/chain/index.ts'
import type { ObservedTransfer } from '../../../src/domain/chain/index.ts'
import type { Log } from '../../../src/kernel/log.ts'
import type { Holding } from './read-balances.ts'

/**
 * Finds payments by calls to an account in a block whose known transfers do not explain the proven
 * change of its balance. Null: the payments do not sum to exactly that change.
 *
 * @param change net change by calls, in wei
 */
export const explainNative = async (
  { client, log }: { client: ChainClient; log: Log },
  { account, asset }: Holding,
  header: Header,
  change: bigint,
): Promise<ObservedTransfer[] | null> => {
  if (asset.kind !== 'native') return null
  const block = await client.blockByHash(header.hash)
  if (!block || block.transactions.length === 0) return null
  const receipts = (await client.receipts([block])).get(block.hash) ?? []
  const watched = new Set([account])
  const found = await findInternalPayments(client, {
    block,
    receipts,
    watched,
    leads: new Map([[account, new Set()]]),
    everywhere: true,
    log,
  })
  const paidIn = sumOf(found)
  if (paidIn !== change) {
    const hashes = block.transactions.map(({ hash }) => hash)
    const traces = await tracesOf(client, hashes)
    if (!traces || paidIn - tracedOutflow(traces, account) !== change) return null
  }
  return found.transfers.map(({ token: _, ...transfer }) => ({
    ...transfer,
    assetId: asset.id,
    blockNumber: header.number,
    blockHash: header.hash,
    minedAt: new Date(header.timestamp * 1_000),
  }))
}

const EXPLAINS_NOTHING: ReadonlySet<ChainErrorCode> = new Set([
  'rpc_error',
  'no_agreement',
  'bad_response',
])

const tracesOf = async (
  client: ChainClient,
  hashes: readonly Hash[],
): Promise<Map<Hash, CallFrame> | null> => {
  const frames = await client.callTraces(hashes).catch((error: unknown) => {
    // Missing or contradictory traces explain nothing. An unreachable node is an error, so that the
    // comparison is repeated.
    if (error instanceof ChainError && EXPLAINS_NOTHING.has(error.code)) return []
    throw error
  })
  const traces = new Map<Hash, CallFrame>()
  for (const [index, hash] of hashes.entries()) {
    const frame = frames[index]
    if (!frame) return null
    traces.set(hash, frame)
  }
  return traces
}
