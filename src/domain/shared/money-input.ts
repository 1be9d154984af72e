import { z } from 'zod'
import { JsonNumber } from '../../kernel/formats/json.ts'

/** The longest input in characters. Every 256-bit integer with 36 decimals fits. */
const MAX_TEXT = 120
const POSITIVE_DECIMAL = /^(?=.*[1-9])\d{1,78}(?:\.\d{1,78})?(?:[eE][+-]?\d{1,3})?$/
const NOT_AN_AMOUNT = 'must be a positive decimal number, as number or text'

/**
 * Money in a request body: a JSON number or a decimal text. The result is decimal text and is not
 * rounded. `parseUnits` later refuses more decimals than the asset has.
 */
export const moneyText = z
  .unknown()
  .transform((value, context) => {
    const text = decimalTextOf(value)
    if (text !== undefined && text.length <= MAX_TEXT && POSITIVE_DECIMAL.test(text)) return text
    const message = value === undefined ? 'is required' : NOT_AN_AMOUNT
    // The HTTP answer for this issue has the code `invalid_amount` instead of `invalid_input`.
    context.addIssue({ code: 'custom', message, params: { code: 'invalid_amount' } })
    return z.NEVER
  })
  .meta({
    format: 'decimal',
    description: 'A positive amount, exact: a JSON number or a decimal text.',
    anyOf: [
      { type: 'number', exclusiveMinimum: 0 },
      { type: 'string', pattern: '^\\d{1,78}(\\.\\d{1,78})?([eE][+-]?\\d{1,3})?$' },
    ],
    examples: ['12.50', 12.5],
  })

/** Returns the text of a JSON number or a string; undefined for any other value. */
export const decimalTextOf = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  return value instanceof JsonNumber ? value.source : undefined
}
