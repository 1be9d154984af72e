import { expect } from 'vitest'
import { createBrowserTest } from './support/browser-test.ts'
import { layoutShift, loadMeasured } from './support/page-sizes.ts'

const test = createBrowserTest()

/** In bytes, compressed as the service sends them. */
type Budget = { script: number; document: number; requests: number }

const KB = 1_000
const STYLES = 8 * KB
const FONTS = 52 * KB

/** The scripts that a click on the check of a proof loads: its view with Preact, and the verifier. */
const CHECK = 13 * KB
const VERIFIER = 13.5 * KB

const WATER = '/c/clean-water-for-bako'

const BUDGETS: [string, Budget][] = [
  ['/', { script: 1.5 * KB, document: 12 * KB, requests: 8 }],
  [WATER, { script: 1.5 * KB, document: 12 * KB, requests: 8 }],
  [`${WATER}/ledger`, { script: 1.5 * KB, document: 12 * KB, requests: 8 }],
  [`${WATER}/donate`, { script: 15 * KB, document: 12 * KB, requests: 12 }],
  ['/check', { script: 8 * KB, document: 12 * KB, requests: 10 }],
  ['/status', { script: 1.5 * KB, document: 12 * KB, requests: 8 }],
  ['/sign-in', { script: 5 * KB, document: 12 * KB, requests: 10 }],
]

test.for(BUDGETS)(
  '%s is small, and nothing moves while it loads',
  async ([path, budget], { openPage }) => {
    const page = await openPage()
    const sizes = await loadMeasured(page, path)
    expect(sizes.script).toBeLessThanOrEqual(budget.script)
    expect(sizes.document).toBeLessThanOrEqual(budget.document)
    expect(sizes.requests).toBeLessThanOrEqual(budget.requests)
    expect(sizes.stylesheet).toBeLessThanOrEqual(STYLES)
    expect(sizes.font).toBeLessThanOrEqual(FONTS)
    expect(sizes.stylesheet).toBeGreaterThan(0)
    expect(await layoutShift(page)).toBe(0)
  },
)

test('a donation is small, and a click loads the verifier', async ({
  stack,
  openPage,
  createWallet,
}) => {
  const answer = await fetch(`${stack.origin}/api/donations?status=completed`)
  const { donations } = (await answer.json()) as { donations: { id: string }[] }
  const page = await openPage({ wallet: createWallet() })
  const sizes = await loadMeasured(page, `/d/${donations[0]?.id}`)
  expect(sizes.script).toBeLessThanOrEqual(8 * KB)
  expect(sizes.document).toBeLessThanOrEqual(12 * KB)
  expect(await layoutShift(page)).toBe(0)
  const before = sizes.script
  await page.getByText('You can check the proof below').waitFor()
  await page.getByRole('button', { name: 'Check this proof' }).click()
  await page.getByText('The donation is proven. Every step holds.').waitFor()
  expect(sizes.script - before).toBeGreaterThan(KB)
  expect(sizes.script - before).toBeLessThanOrEqual(CHECK + VERIFIER)
})
