export type Cell = string | number | null
export type Row = readonly Cell[]

/**
 * Makes columns as wide as their widest cell. Numbers are aligned to the right, with a space
 * between thousands.
 */
export const table = (head: readonly string[], rows: readonly Row[]): string => {
  const texts = [head, ...rows.map((row) => row.map(textOf))]
  const widths = head.map((_, column) =>
    Math.max(...texts.map((row) => (row[column] ?? '').length)),
  )
  return texts
    .map((row) =>
      row
        .map((text, column) =>
          column === 0 ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0),
        )
        .join('   ')
        .trimEnd(),
    )
    .join('\n')
}

const textOf = (cell: Cell): string => {
  if (cell === null) return ''
  if (typeof cell === 'string') return cell
  const [whole = '', fraction] = String(cell).split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ' ')
  return fraction === undefined ? grouped : `${grouped}.${fraction}`
}

/** Whether a number meets its target, as a word. */
export const verdict = (met: boolean): string => (met ? 'met' : 'MISSED')
