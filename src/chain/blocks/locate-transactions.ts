import type { ChainClient } from '../client-interface.ts'
import { ChainError } from '../errors.ts'
import { isAbsence } from '../rpc/quorum.ts'
import type { TransactionLocation } from '../types.ts'

/**
 * Finds the blocks of transactions; null if a transaction is unknown. Leaves out transactions that
 * the nodes refuse to look up: a refused batch is repeated in halves, in at most twice as many
 * calls as hashes. Throws ChainError if no node answers.
 */
export const locateTransactions = async (
  client: Pick<ChainClient, 'findTransactions'>,
  hashes: readonly string[],
): Promise<Map<string, TransactionLocation | null>> => {
  try {
    return await client.findTransactions(hashes)
  } catch (error) {
    // Absence concerns single transactions, for example one older than the node's history.
    if (!(error instanceof ChainError) || !isAbsence(error)) throw error
    if (hashes.length <= 1) return new Map()
    const middle = hashes.length >> 1
    const first = await locateTransactions(client, hashes.slice(0, middle))
    const second = await locateTransactions(client, hashes.slice(middle))
    return new Map([...first, ...second])
  }
}
