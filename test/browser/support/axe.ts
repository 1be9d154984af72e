import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** The rules whose result depends on colours. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

/**
 * Checks the accessibility of a page: WCAG 2.2 to level AA, and best practice. Fails with a line
 * for each element that breaks a rule.
 */
export const expectAccessible = async (page: Page): Promise<void> => {
  // An empty page breaks no rule, so the check requires more than ten passed rules.
  expect(await check(page, { type: 'tag', values: TAGS })).toBeGreaterThan(10)
}

/**
 * Repeats the colour rules on a page that `expectAccessible` has checked, after its colours
 * changed.
 */
export const expectColours = async (page: Page): Promise<void> => {
  expect(await check(page, { type: 'rule', values: COLOUR_RULES })).toBeGreaterThan(0)
}

/** Returns the number of rules that the page passes. */
const check = async (page: Page, runOnly: object): Promise<number> => {
  // Without this setting, a part that fades in would have too little contrast for a moment.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  // The Content Security Policy of the page does not apply to scripts that a test evaluates.
  if (!(await page.evaluate(`'axe' in globalThis`))) await page.evaluate(SOURCE)
  const options = JSON.stringify({ runOnly, resultTypes: ['violations'] })
  const run = `axe.run(document, ${options})`
  const { violations, passes } = await page.evaluate<AxeResults>(run)
  const lines = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => {
      const reason = failureSummary.split('\n').slice(1).join(' ').trim()
      return `${new URL(page.url()).pathname} ${id} ${target.join(' ')}: ${reason}`
    }),
  )
  if (lines.length > 0) throw new Error(lines.join('\n'))
  return passes.length
}
