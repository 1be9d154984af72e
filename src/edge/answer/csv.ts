/**
 * The start of a text that a spreadsheet would run as a formula (OWASP, "CSV Injection"). Excel
 * separates cells by `;` in many countries, and then quotes within such a cell protect nothing.
 */
const FORMULA = /(^|[;\t\r\n])(?=[" ]*[=+\-@＝＋－＠]|[\t\r])/g
const DECIMAL = /^-?\d+(\.\d+)?$/
const SPECIAL = /[",;\r\n]/

export type CsvCell = string | number | boolean | Date | null

/**
 * A table in the form of RFC 4180: a header row, CRLF after each row, quotes if needed. Text that a
 * spreadsheet would run as a formula gets an apostrophe before it, but a decimal number does not.
 */
export const toCsv = (head: readonly string[], rows: readonly (readonly CsvCell[])[]): string =>
  [head, ...rows].map(csvRow).join('')

export const csvRow = (row: readonly CsvCell[]): string => `${row.map(cell).join(',')}\r\n`

const cell = (value: CsvCell): string => {
  if (value === null) return ''
  const text = value instanceof Date ? value.toISOString() : String(value)
  const safe = DECIMAL.test(text) ? text : text.replace(FORMULA, "$1'")
  return SPECIAL.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** The header that makes a browser save an answer as a file with this name. */
export const csvHeaders = (file: string) => ({
  'Content-Disposition': `attachment; filename="${file}"`,
})
export const CSV_TYPE = 'text/csv'
export const CSV_CONTENT_TYPE = `${CSV_TYPE}; charset=utf-8; header=present`
