import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Language } from '../../../../src/pages/shared/languages.ts'

const DOC = readFileSync(join(import.meta.dirname, '../../../../docs/pages.md'), 'utf8')
const NAMES: Record<Language, string> = {
  en: 'English',
  de: 'German',
  fr: 'French',
  es: 'Spanish',
  pt: 'Portuguese',
}

/** The rows of the table of docs/pages.md whose first column has this name. */
export const docTable = (name: string, lang: Language) => {
  const lines = DOC.split('\n')
  const begin = lines.findIndex((line) => line.startsWith(`| ${name} |`))
  const cellsOf = (line: string) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim())
  const column = cellsOf(lines[begin] ?? '').indexOf(NAMES[lang])
  return lines
    .slice(begin + 2, lines.indexOf('', begin))
    .map(cellsOf)
    .map((cells) => ({ key: cells[0] ?? '', word: cells[column] ?? '', last: cells.at(-1) ?? '' }))
}
