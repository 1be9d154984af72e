import { expect, test } from 'vitest'
import { csvRow } from '../../../src/edge/answer/csv.ts'
import { parseCsv } from '../../support/csv.ts'

const FORMULAS = ['=1+1', '+1', '-1+1', '@SUM(1)', '＝1+1', '"=1+1"', ' =1+1']
const SEPARATORS = ['', 'a;', 'a;b;', ';', 'a\t', 'a\r\n', 'a\n']

test.each(FORMULAS.flatMap((formula) => SEPARATORS.map((before) => before + formula)))(
  'begins no cell with a formula, wherever a spreadsheet separates: %j',
  (text) => {
    const row = csvRow(['id', text, 'end'])
    // Some spreadsheets separate cells at semicolons. Quotes then do not protect a cell, because
    // the quote is not at the start of the cell.
    for (const cell of row.split(/[;\t\r\n]/)) expect(cell).not.toMatch(/^[" ]*[=+\-@＝＋－＠]/)
    expect(parseCsv(row)[0]?.[1]?.replaceAll("'", '')).toBe(text)
  },
)

test('keeps decimal numbers and other texts as they are', () => {
  expect(csvRow(['-12.5', 'a-b', 'a=b', 'x; y'])).toBe('-12.5,a-b,a=b,"x; y"\r\n')
})
