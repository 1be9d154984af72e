/** What a spreadsheet would take for a formula at the start of a cell (OWASP, "CSV Injection"). */
const FORMULA = /^[=+\-@\t\r]/
const DECIMAL = /^-?\d+(\.\d+)?$/
const SPECIAL = /[",\r\n]/

export type CsvCell = string | number | boolean | Date | null

/**
 * A table as RFC 4180 writes it: a header row, CRLF after each row, quotes where they are needed.
 * Text that a spreadsheet would run as a formula is preceded by an apostrophe; decimals keep every
 * digit as they are.
 */
export const toCsv = (head: readonly string[], rows: readonly (readonly CsvCell[])[]): string =>
  [head, ...rows].map(csvRow).join('')

export const csvRow = (row: readonly CsvCell[]): string => `${row.map(cell).join(',')}\r\n`

const cell = (value: CsvCell): string => {
  if (value === null) return ''
  const text = value instanceof Date ? value.toISOString() : String(value)
  const safe = FORMULA.test(text) && !DECIMAL.test(text) ? `'${text}` : text
  return SPECIAL.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** How a table is declared, and kept by a browser as a file. */
export const csvHeaders = (file: string) => ({
  'Content-Disposition': `attachment; filename="${file}"`,
})
export const CSV_TYPE = 'text/csv'
export const CSV_CONTENT_TYPE = `${CSV_TYPE}; charset=utf-8; header=present`
