/**
 * Spreads a refund over transfers, in their order and in proportion to their amounts. Sums are
 * rounded, not parts, so the parts add up to the refund to the unit. All are in base units.
 *
 * @returns the part of each transfer, at most its amount, and the `rest` of the refund that is
 *   above all transfers together
 */
export const spreadRefund = (
  refund: bigint,
  amounts: readonly bigint[],
): { parts: bigint[]; rest: bigint } => {
  const total = amounts.reduce((sum, amount) => sum + amount, 0n)
  const spread = refund < total ? refund : total
  let before = 0n
  let seen = 0n
  const parts = amounts.map((amount) => {
    seen += amount
    const until = total === 0n ? 0n : (spread * seen) / total
    const part = until - before
    before = until
    return part
  })
  return { parts, rest: refund - spread }
}
