import type { Page } from 'playwright-core'
import postgres from 'postgres'
import { expect, onTestFinished } from 'vitest'
import { test } from './support/browser-test.ts'
import { createCampaign } from './support/campaign.ts'
import type { Stack } from './support/stack.ts'

/** The console shows this error when the test blocks a stream or a page. */
const BLOCKED = [/net::ERR_FAILED/]
const FALL_BACK_MS = 15_000
const STREAM = /\/live\?/

/** Creates a campaign. Returns the campaign and `raise`, which sets the raised amount. */
const openCampaign = async (stack: Stack) => {
  const sql = postgres(stack.databaseUrl, { max: 1, onnotice: () => {} })
  onTestFinished(() => sql.end())
  const campaign = await createCampaign(stack)
  const raise = (units: number) => sql`
    update campaign_total set raised = ${units * 1_000_000}, updated_at = clock_timestamp()
    where campaign_id = ${campaign.id}`
  return { ...campaign, raise }
}

const raised = (page: Page, amount: string) =>
  page.locator('live-part[name=progress] .figure', { hasText: amount }).waitFor()

const stream = (page: Page) => page.waitForRequest(STREAM)

/** Hides or shows the page, as when another tab comes to the front. */
const setHidden = (page: Page, isHidden: boolean) =>
  page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { value: hidden, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }, isHidden)

test('shows new amounts without a reload, but not while the focus is inside', async ({
  stack,
  openPage,
}) => {
  const { path, raise } = await openCampaign(stack)
  await raise(11)
  const page = await openPage({ path })
  await page.evaluate(() => document.body.setAttribute('data-kept', 'yes'))
  await raise(12)
  await raised(page, '12')
  const link = page.locator('live-part[name=progress] a').first()
  await link.focus()
  await raise(13)
  // Another part of the page is updated meanwhile, which shows that the update has arrived.
  await page.evaluate(() => document.querySelector('live-part[name=milestones]')?.replaceChildren())
  await page.locator('live-part[name=milestones] > *').first().waitFor()
  expect(await link.evaluate((element) => element === document.activeElement)).toBe(true)
  expect(await page.locator('live-part[name=progress] .figure').textContent()).toBe('12')
  await link.blur()
  await raised(page, '13')
  expect(await page.locator('body').getAttribute('data-kept')).toBe('yes')
})

test('has one stream for all parts, and none while the page is hidden', async ({
  stack,
  openPage,
}) => {
  const { path, raise } = await openCampaign(stack)
  const page = await openPage()
  const streams: string[] = []
  page.on('request', (request) => {
    if (STREAM.test(request.url())) streams.push(request.url())
  })
  await page.goto(path)
  await raise(21)
  await raised(page, '21')
  expect(streams).toHaveLength(1)
  const ended = page.waitForEvent('requestfailed', (request) => STREAM.test(request.url()))
  await setHidden(page, true)
  await ended
  const next = stream(page)
  await raise(22)
  await setHidden(page, false)
  await next
  await raised(page, '22')
  expect(streams).toHaveLength(2)
})

test('reads itself without a stream, and says since when it is old', async ({
  stack,
  openPage,
}) => {
  const { path, raise } = await openCampaign(stack)
  const page = await openPage({ allowed: BLOCKED })
  await page.clock.install()
  await page.route(STREAM, (route) => route.abort())
  await raise(31)
  await page.goto(path)
  await raised(page, '31')
  const banner = page.getByRole('status').filter({ hasText: 'Not live since' })
  await raise(32)
  await page.clock.fastForward(FALL_BACK_MS)
  await raised(page, '32')
  expect(await banner.isVisible()).toBe(false)
  await page.route(`**${path}`, (route) => route.abort())
  await page.clock.fastForward(FALL_BACK_MS)
  await banner.waitFor()
  expect(await banner.textContent()).toMatch(/^Not live since \d{1,2}:\d\d.*\. Retrying…$/)
  await page.unrouteAll()
  await raise(33)
  const opened = stream(page)
  await page.clock.fastForward(FALL_BACK_MS)
  await opened
  await raised(page, '33')
  await banner.waitFor({ state: 'hidden' })
})
