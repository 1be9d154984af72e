/** An amount of one asset that goes from one account to another within a transaction. */
export type Move = { sender: string; recipient: string; amount: bigint }

/**
 * The sum of the moves to an account minus the sum of the moves from it. Moves from an account to
 * itself do not count.
 */
export const netOf = (moves: readonly (Move | null)[], account: string): bigint =>
  moves.reduce((net, move) => {
    if (move === null || move.sender === move.recipient) return net
    if (move.recipient === account) return net + move.amount
    return move.sender === account ? net - move.amount : net
  }, 0n)

/**
 * The part of each move that an account keeps. Moves to the account count in their order until
 * their sum is the account's net gain, so the last counted move may count in part. Money that only
 * passes through the account does not count.
 *
 * @param moves all moves of one asset in one transaction, with null for a log that is no move
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

/** The moves at the same indexes, with null for each move from the account. */
export const withoutOutflows = (
  moves: readonly (Move | null)[],
  account: string,
): (Move | null)[] => moves.map((move) => (move?.sender === account ? null : move))

/** keccak of `Withdrawal(address,uint256)`, which the token WETH9 logs when it unwraps ether. */
export const WITHDRAWAL_TOPIC = '0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65'
const ZERO = `0x${'0'.repeat(40)}`

/**
 * The withdrawals of wrapped ether that no Transfer log shows. WETH9 only logs a Withdrawal. Other
 * tokens also log a Transfer to the zero address, and such a withdrawal must not count twice.
 *
 * @param withdrawn the withdrawals of the same token and transaction as the moves
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
  some.reduce((sum, move) => sum + (move?.amount ?? 0n), 0n)
