import type { ChainClient } from '../client-interface.ts'
import { ChainError } from '../errors.ts'
import { isAbsence } from '../rpc/quorum.ts'
import type { TransactionLocation } from '../types.ts'

/**
 * Finds the blocks of transactions; null if a transaction is unknown. If nodes refuse a batch, asks
 * for each half of the batch. Leaves out a transaction if nodes refuse a batch that holds only this
 * transaction. Makes at most two calls per hash. Throws ChainError if no node answers.
 */
export const locateTransactions = async (
  client: Pick<ChainClient, 'findTransactions'>,
  hashes: readonly string[],
): Promise<Map<string, TransactionLocation | null>> => {
  try {
    return await client.findTransactions(hashes)
  } catch (error) {
    // Nodes may lack only some transactions, for example transactions older than their history.
    if (!(error instanceof ChainError) || !isAbsence(error)) throw error
    if (hashes.length <= 1) return new Map()
    const middle = hashes.length >> 1
    const first = await locateTransactions(client, hashes.slice(0, middle))
    const second = await locateTransactions(client, hashes.slice(middle))
    return new Map([...first, ...second])
  }
}
