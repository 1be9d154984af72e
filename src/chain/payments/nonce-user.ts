import { recoverSender } from '../encoding/sender.ts'
import { nonceOf } from '../encoding/transaction.ts'
import type { Block, ChainTransaction } from '../types.ts'

/**
 * Finds the transaction of a block that used this nonce of an account. Each nonce is used once
 * (Yellow Paper, section 6), so other transactions of the account with the same nonce are replaced.
 *
 * @param sender lower-case
 * @returns null if no transaction used the nonce, or if the block does not prove its transactions
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
