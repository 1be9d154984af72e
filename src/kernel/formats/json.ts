/**
 * A JSON number that a double cannot hold exactly, stored as its text in the JSON source.
 * {@link parseExactJson} makes such numbers, and `JSON.stringify` writes all their digits.
 *
 * @see the TC39 proposal "JSON.parse source text access" (`context.source`, `JSON.rawJSON`)
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
// Node 24 has these functions, but TypeScript's library does not declare them yet.
const json = JSON as unknown as {
  rawJSON(text: string): unknown
  isRawJSON(value: unknown): value is { rawJSON: string }
  parse(text: string, reviver: Reviver): unknown
}

/** The result of one pass over a JSON text. */
export type JsonScan = {
  /** The number of nested levels of arrays and objects. */
  depth: number
  /** The length of the longest number, in characters. */
  longestNumber: number
  /** Whether the text has a number that a double cannot hold exactly. */
  hasInexact: boolean
}

/** Parses JSON. Numbers that a double cannot hold become JsonNumbers. Throws SyntaxError. */
export const parseExactJson = (text: string, scan: JsonScan = scanJson(text)): unknown => {
  // A reviver makes parsing about 40 times slower, because it is called for each value.
  if (!scan.hasInexact) return JSON.parse(text)
  return json.parse(text, (_key, value, context) =>
    typeof value === 'number' && context.source !== undefined && !isExact(context.source)
      ? new JsonNumber(context.source)
      : value,
  )
}

/** A decimal text as a JSON number literal with all its digits, for `JSON.stringify`. */
export const jsonDecimal = (decimal: string): unknown => json.rawJSON(decimal)

/** Like `JSON.stringify`, but writes the numbers of {@link jsonDecimal} as JSON strings. */
export const stringifyWithTexts = (value: unknown): string =>
  JSON.stringify(value, (_key, part) => (json.isRawJSON(part) ? part.rawJSON : part))

const BACKSLASH = 0x5c
const QUOTE = 0x22

/** Scans a JSON text once. Does not check the syntax, because the parser checks it later. */
export const scanJson = (text: string): JsonScan => {
  const scan = { depth: 0, longestNumber: 0, hasInexact: false }
  let open = 0
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) inString = !inString
    else if (inString) at += code === BACKSLASH ? 1 : 0
    else if (isOpening(code)) scan.depth = Math.max(scan.depth, ++open)
    else if (isClosing(code)) open--
    else if (startsNumber(code)) {
      const source = numberAt(text, at)
      scan.longestNumber = Math.max(scan.longestNumber, source.length)
      scan.hasInexact ||= !isExact(source)
      at += source.length - 1
    }
  }
  return scan
}

const isOpening = (code: number): boolean => code === 0x5b || code === 0x7b // [ {
const isClosing = (code: number): boolean => code === 0x5d || code === 0x7d // ] }
const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39
const startsNumber = (code: number): boolean => isDigit(code) || code === 0x2d // -

const numberAt = (text: string, start: number): string => {
  let end = start + 1
  while (end < text.length && goesOnInNumber(text.charCodeAt(end))) end++
  return text.slice(start, end)
}

/** Whether a character is a digit or one of `+ - . E e`. */
const goesOnInNumber = (code: number): boolean =>
  isDigit(code) || (code >= 0x2b && code <= 0x2e && code !== 0x2c) || (code | 0x20) === 0x65

/** A double holds every number of at most 15 significant digits (IEEE 754: DBL_DIG). */
const SAFE_DIGITS = 15

const isExact = (source: string): boolean => {
  if (source.length <= SAFE_DIGITS && !/[eE]/.test(source)) return true
  const value = Number(source)
  return Number.isFinite(value) && canonical(String(value)) === canonical(source)
}

/** Writes equal numbers (`1.10`, `11e-1`, `1.1`) as equal texts: digits and exponent (`11e-1`). */
const canonical = (source: string): string => {
  const [mantissa = '', exponent = '0'] = source.toLowerCase().split('e')
  const sign = mantissa.startsWith('-') ? '-' : ''
  const [whole = '', fraction = ''] = mantissa.slice(sign.length).split('.')
  const digits = whole + fraction
  let start = 0
  while (digits[start] === '0') start++
  let end = digits.length
  while (end > start && digits[end - 1] === '0') end--
  if (start === end) return '0'
  return `${sign}${digits.slice(start, end)}e${Number(exponent) - fraction.length + digits.length - end}`
}
