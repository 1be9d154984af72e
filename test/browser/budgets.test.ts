import { expect } from 'vitest'
import { test } from './support/browser-test.ts'
import { type Loaded, layoutShift, loadMeasured } from './support/page-sizes.ts'

/** Budgets are in bytes as Chromium gets them: pages in gzip, scripts and styles in brotli. */
const KB = 1_000
const DOCUMENT = 12 * KB
const STYLES = 8 * KB
const FONTS = 52 * KB
const REQUESTS = 8

/**
 * The budgets for scripts: pages that only show data, and pages with a part that works in the
 * browser.
 */
const READ = 1.5 * KB
const CHECK = 8 * KB
const GIVE = 12 * KB
const SIGN = 9 * KB
/** With the curves and hashes that the check from a checkpoint needs too. */
const VERIFIER = 27 * KB
/** The budget of the view that shows the check, with Preact. The same click loads this view. */
const VIEW = 13 * KB

const WATER = '/c/clean-water-for-bako'
/**
 * The ledger of this campaign does not change, because the other test files give to `WATER` only.
 */
const ROOF = '/c/a-school-roof-for-bako'

/** Each page with the budget of its scripts. */
const SCRIPTS: [string, number][] = [
  ['/', READ],
  [ROOF, READ],
  [`${ROOF}/ledger`, READ],
  [`${WATER}/donate`, GIVE],
  ['/check', CHECK],
  ['/status', READ],
  ['/sign-in', SIGN],
]

const isPattern = (path: string) => path.startsWith('/patterns/')

/** Fails if a page has loaded more than the budgets allow. */
const expectSmall = ({ files, sizeOf }: Loaded, scripts: number): void => {
  expect(sizeOf('script')).toBeLessThanOrEqual(scripts)
  expect(sizeOf('document')).toBeLessThanOrEqual(DOCUMENT)
  expect(sizeOf('stylesheet')).toBeGreaterThan(0)
  expect(sizeOf('stylesheet')).toBeLessThanOrEqual(STYLES)
  expect(sizeOf('font')).toBeLessThanOrEqual(FONTS)
  // Each cover or drawn pattern is a request of its own, for the campaigns that the page shows.
  const others = files.filter(({ path }) => !path.endsWith('/cover') && !isPattern(path))
  expect(others.length).toBeLessThanOrEqual(REQUESTS)
  for (const { path, type, coding } of files) {
    if (type === 'script') expect([path, coding]).toEqual([path, 'br'])
  }
}

test.for(SCRIPTS)(
  '%s is small as it is sent, and nothing moves while it loads',
  async ([path, scripts], { openPage }) => {
    const page = await openPage()
    // A donation of another test would change the sums of the first page in this moment.
    await page.route(/\/live\?/, (route) =>
      route.fulfill({ contentType: 'text/event-stream', body: '' }),
    )
    expectSmall(await loadMeasured(page, path), scripts)
    expect(await layoutShift(page)).toBe(0)
  },
)

test('the first page has at most 75 kB with its two drawn covers', async ({ stack, openPage }) => {
  const page = await openPage()
  const loaded = await loadMeasured(page, '/')
  // Campaigns that other tests have made may push the covers out of the window, or show others.
  const own = loaded.files.filter(({ path }) => !path.endsWith('/cover') && !isPattern(path))
  const covers = await Promise.all(
    [WATER, ROOF].map(async (path) => {
      const answer = await fetch(`${stack.origin}/api/campaigns/${path.slice('/c/'.length)}/cover`)
      return Number(answer.headers.get('content-length'))
    }),
  )
  expect(Math.min(...covers)).toBeGreaterThan(0)
  const all = [...own.map(({ size }) => size), ...covers].reduce((sum, size) => sum + size, 0)
  expect(all).toBeLessThanOrEqual(75 * KB)
})

test('the page to give stays small when a press loads the code of the payment', async ({
  openPage,
  createWallet,
}) => {
  const page = await openPage({ wallet: createWallet() })
  const loaded = await loadMeasured(page, `${WATER}/donate`)
  const before = loaded.sizeOf('script')
  await page.getByLabel('Amount', { exact: true }).fill('25')
  await page.getByRole('button', { name: 'Connect Test Wallet' }).click()
  await page.getByText('Connected with').waitFor()
  await expect.poll(() => loaded.sizeOf('script')).toBeGreaterThan(before)
  expect(loaded.sizeOf('script')).toBeLessThanOrEqual(GIVE)
})

test('a donation is small, and a click loads the verifier', async ({
  stack,
  openPage,
  createWallet,
}) => {
  const answer = await fetch(`${stack.origin}/api/donations?status=completed`)
  const { donations } = (await answer.json()) as { donations: { id: string }[] }
  const page = await openPage({ wallet: createWallet() })
  const loaded = await loadMeasured(page, `/d/${donations[0]?.id}`)
  expectSmall(loaded, CHECK)
  expect(await layoutShift(page)).toBe(0)
  const before = loaded.sizeOf('script')
  await page.getByText('You can check the proof below').waitFor()
  await page.getByRole('button', { name: 'Check this proof' }).click()
  await page.getByText('The donation is proven.').waitFor()
  const verifier = () =>
    loaded.files
      .filter(({ path }) => /\/(verifier|chunk)-/.test(path))
      .reduce((sum, { size }) => sum + size, 0)
  await expect.poll(verifier).toBeGreaterThan(KB)
  expect(verifier()).toBeLessThanOrEqual(VERIFIER)
  expect(loaded.sizeOf('script') - before - verifier()).toBeLessThanOrEqual(VIEW)
})
