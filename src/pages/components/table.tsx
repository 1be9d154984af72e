import type { ComponentChildren } from 'preact'

type TableRow = {
  key: string
  /** As many as there are columns. The first cell names the row. */
  cells: readonly ComponentChildren[]
  /** True for a row in a softer colour. */
  quiet?: boolean
}

type Props = {
  /** Says what the rows are, for screen readers. */
  caption: string
  /** An even number, because two cells share a line on narrow screens. */
  columns: readonly string[]
  rows: readonly TableRow[]
}

/** Rows of a ledger. The last column is aligned to the end. Narrow screens have two-line rows. */
export const Table = ({ caption, columns, rows }: Props) => (
  <table class="ledger">
    <caption class="visually-hidden">{caption}</caption>
    <thead>
      <tr>
        {columns.map((title) => (
          <th key={title} scope="col">
            {title}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map(({ key, cells: [first, ...rest], quiet }) => (
        <tr key={key} class={quiet ? 'quiet' : undefined}>
          <th scope="row">{first}</th>
          {rest.map((cell, index) => (
            <td key={columns[index + 1]}>{cell}</td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
)
