import { recoverSender } from '../encoding/sender.ts'
import { nonceOf } from '../encoding/transaction.ts'
import type { Block, ChainTransaction } from '../types.ts'

/**
 * The transaction of a proven block that used a nonce of an account up. A chain uses each nonce of
 * an account once (Yellow Paper, section 6), so any other transaction that it signed with that
 * nonce is not on the same chain. Signatures are recovered only where the nonce is the one.
 *
 * @param sender lower-case
 * @returns null where none is in the block, or where the block's transactions are not proven
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
