import { type ChainClient, ChainError } from '../../src/chain/index.ts'
import type { DueDonation } from '../../src/domain/donation/index.ts'

/**
 * Splits due donations into `kept` and `unknown`. Keeps an overdue donation if a mempool has its
 * transaction, because a block may still include the transaction. Keeps all overdue donations if no
 * node answers.
 *
 * @param unseen due donations whose transaction is in no block
 */
export const keepPooled = async (
  client: Pick<ChainClient, 'transactionsByHash'>,
  unseen: readonly DueDonation[],
): Promise<{ kept: DueDonation[]; unknown: DueDonation[] }> => {
  const overdue = new Set(unseen.flatMap(({ isOverdue, txHash }) => (isOverdue ? [txHash] : [])))
  const pooled = new Set(await findPooled(client, [...overdue]))
  return {
    kept: unseen.filter(({ txHash }) => pooled.has(txHash)),
    unknown: unseen.filter(({ txHash }) => !pooled.has(txHash)),
  }
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
