import { type ChainClient, ChainError } from '../../src/chain/index.ts'
import type { DueDonation } from '../../src/domain/donation/index.ts'

/**
 * Tells donations whose time is over apart: those whose transaction still waits in a pool are kept,
 * because it may be mined at any moment. Where no node says whether it does, all are kept. Costs a
 * call for each of them, and none before.
 *
 * @param unseen due donations that no block holds, as the nodes say
 * @returns their ids
 */
export const keepPooled = async (
  client: Pick<ChainClient, 'transactionsByHash'>,
  unseen: readonly DueDonation[],
): Promise<{ kept: string[]; unknown: string[] }> => {
  const overdue = [...new Set(unseen.flatMap((one) => (one.isOverdue ? [one.txHash] : [])))]
  const pooled = new Set(overdue.length === 0 ? [] : await findPooled(client, overdue))
  const [kept, unknown] = [true, false].map((is) =>
    unseen.filter((one) => pooled.has(one.txHash) === is).map((one) => one.id),
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
