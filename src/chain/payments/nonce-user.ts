import { recoverSender } from '../encoding/sender.ts'
import { nonceOf } from '../encoding/transaction.ts'
import type { Block, ChainTransaction } from '../types.ts'

/**
 * The transaction of a proven block that used an account's nonce. Each nonce is used once (Yellow
 * Paper, section 6), so any other transaction of the account with that nonce is replaced.
 *
 * @param sender lower-case
 * @returns null if the block has none, or if its transactions are not proven
 */
export const nonceUser = (block: Block, sender: string, nonce: number): ChainTransaction | null => {
  if (block.proof !== 'transactions-root') return null
  return (
    block.transactions.find(
      (transaction) =>
        transaction.raw !== null &&
        nonceOf(transaction.raw) === BigInt(nonce) &&
        recoverSender(transaction) === sender,
    ) ?? null
  )
}
