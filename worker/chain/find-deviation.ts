/** The balance of an account after a block. */
type BalancePoint = { blockNumber: number; balance: bigint }

/** The net amount that entered (above 0) or left (below 0) an account in a block. */
type BlockAmount = { blockNumber: number; amount: bigint }

/** The sum of the amounts in the blocks after block `after`, up to and including `upTo`. */
export const sumBetween = (amounts: readonly BlockAmount[], after: number, upTo: number): bigint =>
  amounts.reduce(
    (sum, { blockNumber, amount }) =>
      after < blockNumber && blockNumber <= upTo ? sum + amount : sum,
    0n,
  )

/** Finds the first number above `low` with a property that all later numbers also have. */
export const bisect = async (
  low: number,
  high: number,
  hasProperty: (number: number) => Promise<boolean>,
): Promise<number> => {
  let [before, first] = [low, high]
  while (first - before > 1) {
    const middle = (before + first) >> 1
    if (await hasProperty(middle)) first = middle
    else before = middle
  }
  return first
}

/**
 * The balance is as expected at block `after` and not as expected at block `at`. No node has the
 * states of blocks between them. `mayCome` is true if nodes may have these states later.
 */
type Deviation<P> = { after: number; at: P; mayCome: boolean }

/**
 * Finds the first unexpected balance after block `known` by bisection. If a state is missing, reads
 * the state of the last expected block again. If this state is missing too, the nodes have deleted
 * old states, and the search continues with newer blocks. Otherwise the search stops.
 *
 * @param last a block with an unexpected balance
 * @param read returns null if no node has the state of the block
 */
export const findDeviation = async <P extends BalancePoint>(
  known: number,
  last: P,
  expectedAt: (blockNumber: number) => bigint,
  read: (blockNumber: number) => Promise<P | null>,
): Promise<Deviation<P>> => {
  const found: Deviation<P> = { after: known, at: last, mayCome: false }
  let isLost = false
  await bisect(known, last.blockNumber, async (middle) => {
    if (found.mayCome) return false
    const point = await read(middle)
    if (!point) {
      isLost ||= (await read(found.after)) === null
      found.mayCome = !isLost
    } else if (point.balance === expectedAt(middle)) found.after = middle
    else {
      found.at = point
      return true
    }
    return false
  })
  return found
}
