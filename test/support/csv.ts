/** Parses CSV exactly by RFC 4180, as spreadsheets do. */
export const parseCsv = (text: string): string[][] => {
  const rows: string[][] = [[]]
  let at = 0
  while (at < text.length) {
    const row = rows.at(-1)
    if (text[at] === '"') {
      let cell = ''
      for (at += 1; ; at++) {
        if (text[at] === '"' && text[at + 1] === '"') at += 1
        else if (text[at] === '"') break
        cell += text[at] ?? ''
      }
      at += 1
      row?.push(cell)
    } else {
      const end = /[,\r]/.exec(text.slice(at))?.index ?? text.length - at
      row?.push(text.slice(at, at + end))
      at += end
    }
    if (text.slice(at, at + 2) === '\r\n') {
      rows.push([])
      at += 2
    } else at += 1
  }
  return rows.filter((row) => row.length > 0)
}
