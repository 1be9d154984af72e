import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { TRANSITIONS } from '../../../src/domain/donations/lifecycle.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const LIFECYCLE = 'src/domain/donations/lifecycle.ts'

const SOURCES = ['src', 'worker'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => ({
      path: `${folder}/${path}`,
      text: readFileSync(join(ROOT, folder, path), 'utf8'),
    })),
)

/** Removes the calls of `becomes`, because their conditions read the status. */
const withoutNamed = (text: string): string => text.replaceAll(/\bbecomes\(.*?\)\}/gs, '')

/**
 * Finds the assignments of each `update donation`, and SQL fragments that begin with an assignment.
 */
const assignmentsIn = (text: string): string[] =>
  [
    ...[
      ...text.matchAll(/update donation\s+(?:\w+\s+)?set\b(.*?)(?:\n\s*(?:from|where)\b|`\s*\n)/gs),
    ],
    ...text.matchAll(/sql`\s*((?:status|reason) = .*?)`/gs),
  ].map(([, assignments = '']) => assignments)

const writesStatus = (assignments: string): boolean => /(?:^|,)\s*status\s*=/.test(assignments)

test('only the table of transitions writes the status of a donation', () => {
  expect(writesStatus(" status = 'failed', reason = 'cancelled'")).toBe(true)
  const writers = SOURCES.filter(({ text }) => /update donation\b/.test(text))
  expect(writers.length).toBeGreaterThan(10)
  const wrong = SOURCES.filter(({ path }) => path !== LIFECYCLE).filter(({ text }) =>
    /update donation\b/.test(text) ? assignmentsIn(withoutNamed(text)).some(writesStatus) : false,
  )
  expect(wrong.map(({ path }) => path)).toEqual([])
})

test('each transition has a statement', () => {
  const text = SOURCES.filter(({ path }) => path !== LIFECYCLE)
    .map((source) => source.text)
    .join('\n')
  const unused = Object.keys(TRANSITIONS).filter(
    (name) => !new RegExp(`becomes\\([^)]*(?:'${name}'|\\b${name}:)`, 's').test(text),
  )
  expect(unused).toEqual([])
})

test('docs/chain.md shows the table', () => {
  const rows = Object.values(TRANSITIONS).map((transition) => {
    const event = 'event' in transition ? `\`${transition.event}\`` : ''
    const from = transition.from.map((status) => `\`${status}\``).join(', ')
    return `| ${from} | \`${transition.to}\` | ${transition.cause} | ${event} |`
  })
  expect(readFileSync(join(ROOT, 'docs/chain.md'), 'utf8')).toContain(rows.join('\n'))
})
