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

/** keccak of `Withdrawal(address,uint256)`: WETH9, when it takes wrapped money back. */
export const WITHDRAWAL_TOPIC = '0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65'
const ZERO = `0x${'0'.repeat(40)}`

/**
 * What left accounts by withdrawals of wrapped money and no Transfer shows. WETH9 logs none, others
 * log one to the zero address as well: that is not counted again.
 *
 * @param withdrawn from whom and how much, of the same token and transaction as the moves
 */
export const unloggedMoves = (
  moves: readonly (Move | null)[],
  withdrawn: readonly Pick<Move, 'sender' | 'amount'>[],
): Move[] =>
  [...Map.groupBy(withdrawn, ({ sender }) => sender)].flatMap(([sender, some]) => {
    const burned = moves.filter((move) => move?.sender === sender && move.recipient === ZERO)
    const amount = sumOf(some) - sumOf(burned)
    return amount > 0n ? [{ sender, recipient: ZERO, amount }] : []
  })

const sumOf = (some: readonly ({ amount: bigint } | null)[]): bigint =>
  some.reduce((sum, one) => sum + (one?.amount ?? 0n), 0n)
