/** An exact decimal amount as text, for example `'25.1'`. Never convert it to a number for sums. */
export type Amount = string

/**
 * An amount to send. Prefer text or integers: JavaScript numbers have at most 15 exact digits.
 *
 * @example '25.10', 25n, 25
 */
export type AmountInput = string | number | bigint

const DECIMAL = /^-?\d{1,78}(?:\.\d{1,78})?$/

/**
 * An amount as decimal text for the wire. A number becomes its shortest text without an exponent.
 *
 * @throws TypeError for any other text or number, because money must not be guessed
 */
export const amountText = (value: unknown): string => {
  const text = typeof value === 'number' ? plainText(value) : String(value)
  const isInput =
    typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint'
  if (isInput && DECIMAL.test(text)) return text
  throw new TypeError(
    `${typeof value === 'string' ? JSON.stringify(value) : text} is not an amount: ` +
      "pass decimal text such as '25.10', or an integer.",
  )
}

/** A number's shortest text. Moves the point of `1e+21` and `1e-7` instead of an exponent. */
const plainText = (value: number): string => {
  const [, sign = '', whole = '', part = '', power] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value)) ?? []
  if (power === undefined) return String(value)
  const digits = whole + part
  const at = whole.length + Number(power)
  if (at <= 0) return `${sign}0.${'0'.repeat(-at)}${digits}`
  return `${sign}${digits.padEnd(at, '0')}`
}
