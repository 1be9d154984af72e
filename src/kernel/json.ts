/**
 * JSON that never sends money through a double.
 *
 * A number that a double cannot hold exactly arrives as a {@link JsonNumber} with its source text;
 * a number that leaves is written digit by digit by {@link jsonDecimal}.
 * Source: the TC39 proposal "JSON.parse source text access" (`context.source`, `JSON.rawJSON`).
 */
export class JsonNumber {
  readonly source: string
  constructor(source: string) {
    this.source = source
  }
  toJSON(): unknown {
    return jsonDecimal(this.source)
  }
}

type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown
// Node 24 has both; TypeScript's library does not declare them yet.
const json = JSON as unknown as {
  rawJSON(text: string): unknown
  parse(text: string, reviver: Reviver): unknown
}

/** Parses JSON; numbers that a double would change become {@link JsonNumber}. Throws SyntaxError. */
export const parseExactJson = (text: string): unknown =>
  json.parse(text, (_key, value, context) =>
    typeof value === 'number' && context.source !== undefined && !isExact(value, context.source)
      ? new JsonNumber(context.source)
      : value,
  )

/** A decimal text as a JSON number literal with all its digits, for `JSON.stringify`. */
export const jsonDecimal = (decimal: string): unknown => json.rawJSON(decimal)

const isExact = (value: number, source: string): boolean => {
  const written = String(value)
  return written === source || (Number.isFinite(value) && canonical(written) === canonical(source))
}

/** `1.10`, `11e-1` and `1.1` are one number: digits without zeros at either end, and the exponent. */
const canonical = (source: string): string => {
  const [, sign, whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(source) ?? []
  const digits = (whole + fraction).replace(/^0+/, '')
  const significant = digits.replace(/0+$/, '')
  if (significant === '') return '0'
  const power = Number(exponent) - fraction.length + (digits.length - significant.length)
  return `${sign}${significant}e${power}`
}
