/** An amount of one asset that goes from one account to another within a transaction. */
export type Move = { sender: string; recipient: string; amount: bigint }

/** What an account gained by moves: in minus out. To itself it moves nothing. */
export const netOf = (moves: readonly (Move | null)[], account: string): bigint =>
  moves.reduce((net, move) => {
    if (move === null || move.sender === move.recipient) return net
    if (move.recipient === account) return net + move.amount
    return move.sender === account ? net - move.amount : net
  }, 0n)

/**
 * How much of each move counts as received by an account: in their order until what the account
 * gained is used up, the last one perhaps in part. Together they count for what it kept of the asset
 * in the transaction, so money that only passes through an account counts for nothing.
 *
 * @param moves every move of one asset in one transaction; null for what is none
 */
export const countKept = (moves: readonly (Move | null)[], account: string): bigint[] => {
  let left = netOf(moves, account)
  return moves.map((move) => {
    const arrives = move?.recipient === account && move.sender !== account
    if (!arrives || left <= 0n) return 0n
    const counted = move.amount < left ? move.amount : left
    left -= counted
    return counted
  })
}
