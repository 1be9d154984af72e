/** An exact decimal amount as text, for example `'25.1'`. Never convert it to a number for sums. */
export type Amount = string

/**
 * An amount to send: decimal text, or an integer. A number with a fraction is refused, because
 * `0.1 + 0.2` is not 0.3 in JavaScript.
 *
 * @example '25.10', 25n, 25
 */
export type AmountInput = string | number | bigint

const DECIMAL = /^-?\d{1,78}(?:\.\d{1,78})?$/

/**
 * An amount as decimal text for the wire.
 *
 * @throws TypeError for any other text or number, because money must not be guessed
 */
export const amountText = (value: unknown): string => {
  const isExact = typeof value === 'bigint' || Number.isSafeInteger(value)
  const text = typeof value === 'string' || isExact ? String(value) : ''
  if (DECIMAL.test(text)) return text
  throw new TypeError(
    `${typeof value === 'string' ? JSON.stringify(value) : String(value)} is not an amount: ` +
      "pass decimal text such as '25.10', or an integer up to 2^53.",
  )
}
