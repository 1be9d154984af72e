import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const RUN = `axe.run(document, ${JSON.stringify({ runOnly: { type: 'tag', values: TAGS } })})`

/**
 * Checks the accessibility of a page: WCAG 2.2 to level AA, and best practice. Fails with a line
 * for each element that breaks a rule.
 */
export const expectAccessible = async (page: Page): Promise<void> => {
  // The page's policy does not apply to scripts that a test evaluates.
  await page.evaluate(SOURCE)
  const { violations, passes } = await page.evaluate<AxeResults>(RUN)
  const lines = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => {
      const reason = failureSummary.split('\n').slice(1).join(' ').trim()
      return `${new URL(page.url()).pathname} ${id} ${target.join(' ')}: ${reason}`
    }),
  )
  if (lines.length > 0) throw new Error(lines.join('\n'))
  // An empty page breaks no rule either.
  expect(passes.length).toBeGreaterThan(10)
}
