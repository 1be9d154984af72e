/** A transfer of a donor. `left` is the part that no refund has paid back, in base units. */
export type Refundable = { left: bigint }

/**
 * Spreads a refund over the donor's transfers, in their order and in proportion to what is left of
 * each. Sums are rounded, not parts, so the parts add up to the refund to the unit.
 *
 * @returns the part of each transfer, at most what is left of it, and the `rest` of the refund that
 *   is above all transfers together
 */
export const spreadRefund = (
  amount: bigint,
  transfers: readonly Refundable[],
): { parts: bigint[]; rest: bigint } => {
  const total = transfers.reduce((sum, { left }) => sum + left, 0n)
  const spread = amount < total ? amount : total
  let before = 0n
  let seen = 0n
  const parts = transfers.map(({ left }) => {
    seen += left
    const until = total === 0n ? 0n : (spread * seen) / total
    const part = until - before
    before = until
    return part
  })
  return { parts, rest: amount - spread }
}
