import type { ChainClient } from '../client-interface.ts'
import { ChainError } from '../errors.ts'
import { isAbsence } from '../rpc/quorum.ts'
import type { TransactionLocation } from '../types.ts'

/**
 * Finds the block of each transaction; null for an unknown transaction. If nodes refuse a batch,
 * asks for each half of the batch. Leaves out a hash that nodes refuse even alone. So `n` hashes
 * cost at most `2n` batches. Throws ChainError for any error other than a refusal.
 */
export const locateTransactions = async (
  client: Pick<ChainClient, 'findTransactions'>,
  hashes: readonly string[],
): Promise<Map<string, TransactionLocation | null>> => {
  try {
    return await client.findTransactions(hashes)
  } catch (error) {
    // A refused batch may hold only some transactions that the nodes lack, for example old ones.
    if (!(error instanceof ChainError)) throw error
    if (!isAbsence(error) && error.code !== 'too_large') throw error
    if (hashes.length <= 1) return new Map()
    const middle = hashes.length >> 1
    const first = await locateTransactions(client, hashes.slice(0, middle))
    const second = await locateTransactions(client, hashes.slice(middle))
    return new Map([...first, ...second])
  }
}
