import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { LANGUAGES, type Language } from '../../../src/pages/shared/languages.ts'
import { docTable } from './support/doc-table.ts'

const ROOT = join(import.meta.dirname, '../../../src')
const AREAS = [
  ...readdirSync(join(ROOT, 'pages/texts')).map((area) => `pages/texts/${area}`),
  'domain/people/notification/languages',
  'mail/languages',
]

const LITERAL = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g

/** The texts in the source of a language, without comments, names and keys. */
const textsIn = (source: string): string[] =>
  [
    ...source
      .replaceAll(/\/\*.*?\*\/|^\s*\/\/[^\n]*|^import [^\n]*|=== '[^']*'|'[^'\n]*':/gms, '')
      .matchAll(LITERAL),
  ]
    .map(([literal]) => literal.replaceAll(/\$?\{[^}]*\}/g, ' '))
    .filter((text) => /\p{L}/u.test(text))

const textsOf = (lang: Language) =>
  AREAS.flatMap((area) => textsIn(readFileSync(join(ROOT, area, `${lang}.ts`), 'utf8')))

/** Finds a word as a whole, or its beginning if it ends with `…`. */
const finds = (word: string): RegExp =>
  new RegExp(`(?<!\\p{L})${word.replace(/…$/, '')}${word.endsWith('…') ? '' : '(?!\\p{L})'}`, 'iu')

/**
 * The words that `not`, a cell of the table, forbids in a language. An example of a cell: `de Netz,
 * Testnetz; fr registre`.
 */
const forbidden = (not: string, lang: Language): string[] =>
  not
    .split('; ')
    .filter((part) => part.startsWith(`${lang} `))
    .flatMap((part) => part.slice(3).split(', '))

describe.each(LANGUAGES)('the texts in %s', (lang) => {
  const texts = textsOf(lang)
  const rows = docTable('Thing', lang)

  test('call each thing of the list in docs/pages.md by its word, and by no other', () => {
    const wrong = rows.flatMap(({ word, last }) =>
      forbidden(last, lang).flatMap((other) =>
        texts
          .filter((text) => finds(other).test(text.replaceAll(new RegExp(word, 'gi'), ' ')))
          .map((text) => `${other}, not ${word}: ${text}`),
      ),
    )
    expect(wrong).toEqual([])
  })

  test('have each word of the list', () => {
    const all = texts.join('\n').toLowerCase()
    const unused = rows.filter(({ word }) => !all.includes(word.toLowerCase()))
    expect(unused.map(({ word }) => word)).toEqual([])
    expect(rows.length).toBeGreaterThan(20)
  })
})

test('a forbidden word is found in a text, but not in a comment, a name or a longer word', () => {
  const found = (source: string, word: string) =>
    textsIn(source).some((text) => finds(word).test(text))
  expect(found("net: 'Das Netz fehlt.',", 'Netz')).toBe(true)
  expect(found("net: 'Das Netzwerk fehlt.',", 'Netz')).toBe(false)
  expect(found("net: 'Die Buchungen',", 'Buchung…')).toBe(true)
  expect(found("/** Netz */\n  a: (Netz) => '{Netz} fehlt',", 'Netz')).toBe(false)
})
