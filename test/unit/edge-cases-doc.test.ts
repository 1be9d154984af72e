import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

/**
 * `docs/chain.md` names tests for each of twenty hard cases. This test checks that these tests
 * exist.
 */
const DOCS = join(import.meta.dirname, '../../docs')
const lines = readFileSync(join(DOCS, 'chain.md'), 'utf8').split('\n')
const rows = lines.filter((line) => /^\| \d+ \|/.test(line))

const proofsOf = (row: string) =>
  [...row.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)].map(([, name = '', path = '']) => ({
    name,
    file: join(DOCS, path),
  }))

/** Whether the text contains a test, or a table of tests, with exactly this name. */
const holdsTest = (text: string, name: string): boolean => {
  const escaped = name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`(?:\\b(?:test|it)|\\))\\(\\s*(['"\`])${escaped}\\1,`).test(text)
}

test('has a row for each of the twenty cases, in their order', () => {
  expect(rows.map((row) => Number(/^\| (\d+) \|/.exec(row)?.[1]))).toEqual(
    Array.from({ length: 20 }, (_, index) => index + 1),
  )
  for (const row of rows) expect(row.split(' | ')).toHaveLength(4)
})

describe.each(rows.map((row) => [Number(row.split(' ')[1]), row] as const))('case %i', (_, row) => {
  test('is proved by tests that are there, under exactly that name', () => {
    const proofs = proofsOf(row)
    expect(proofs).not.toEqual([])
    for (const { name, file } of proofs) {
      expect(existsSync(file), `${file} is not there`).toBe(true)
      expect(holdsTest(readFileSync(file, 'utf8'), name), `${file}: no test "${name}"`).toBe(true)
    }
  })

  test('is proved on a real EVM by all of them', () => {
    for (const { file } of proofsOf(row)) {
      expect(readFileSync(file, 'utf8'), file).toMatch(/\bhasAnvil\b/)
    }
  })
})
