import type { ChainClient } from '../client-interface.ts'
import { ChainError } from '../errors.ts'
import type { TransactionLocation } from '../types.ts'

/** What a node says of some transactions only: of one from before its history begins, for example. */
const OF_SOME_ONLY: ReadonlySet<string> = new Set(['rpc_error', 'block_missing'])

/**
 * Where transactions are, null for one that the node does not know. One that the node refuses to
 * look up is left out and costs the others nothing: a refused batch is asked again in halves, which
 * is at most twice as many calls as there are hashes. Throws ChainError where nothing can be asked.
 */
export const locateTransactions = async (
  client: Pick<ChainClient, 'findTransactions'>,
  hashes: readonly string[],
): Promise<Map<string, TransactionLocation | null>> => {
  try {
    return await client.findTransactions(hashes)
  } catch (error) {
    if (!(error instanceof ChainError) || !OF_SOME_ONLY.has(error.code)) throw error
    if (hashes.length <= 1) return new Map()
    const middle = hashes.length >> 1
    const first = await locateTransactions(client, hashes.slice(0, middle))
    const second = await locateTransactions(client, hashes.slice(middle))
    return new Map([...first, ...second])
  }
}
