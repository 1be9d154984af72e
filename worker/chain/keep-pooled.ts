import { type ChainClient, ChainError } from '../../src/chain/index.ts'
import type { DueDonation } from '../../src/domain/donation/index.ts'

/**
 * Splits due donations: an overdue one whose transaction is still in a mempool is kept, because it
 * may be mined at any moment. If no node answers, all overdue donations are kept. Costs one call
 * per overdue donation.
 *
 * @param unseen due donations whose transaction is in no block
 * @returns their ids
 */
export const keepPooled = async (
  client: Pick<ChainClient, 'transactionsByHash'>,
  unseen: readonly DueDonation[],
): Promise<{ kept: string[]; unknown: string[] }> => {
  const overdue = [
    ...new Set(unseen.flatMap(({ isOverdue, txHash }) => (isOverdue ? [txHash] : []))),
  ]
  const pooled = new Set(overdue.length === 0 ? [] : await findPooled(client, overdue))
  const [kept, unknown] = [true, false].map((is) =>
    unseen.filter(({ txHash }) => pooled.has(txHash) === is).map(({ id }) => id),
  )
  return { kept: kept ?? [], unknown: unknown ?? [] }
}

const findPooled = async (
  client: Pick<ChainClient, 'transactionsByHash'>,
  hashes: readonly string[],
): Promise<readonly string[]> => {
  try {
    const found = await client.transactionsByHash(hashes)
    return hashes.filter((_, index) => found[index] !== null)
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    return hashes
  }
}
