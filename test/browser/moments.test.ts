import postgres from 'postgres'
import { expect, onTestFinished } from 'vitest'
import { test } from './support/browser-test.ts'
import { createCampaign } from './support/campaign.ts'

const LEDGER = '/c/clean-water-for-bako/ledger'
const TOKYO = { timezoneId: 'Asia/Tokyo' }

test('writes exact moments in the own time zone of the reader, and without scripts in UTC', async ({
  openPage,
}) => {
  const page = await openPage({ path: LEDGER, context: TOKYO })
  const moments = page.locator('main time')
  await expect.poll(() => moments.last().textContent()).toMatch(/GMT\+9$/)
  for (const text of await moments.allTextContents()) expect(text).toMatch(/:\d\d\s[AP]M GMT\+9$/)
  const [written = '', at] = await moments
    .last()
    .evaluate((time: HTMLTimeElement) => [time.textContent, time.dateTime])
  expect(Date.parse(written.replace('\u202f', ' '))).toBe(
    Math.floor(Date.parse(at ?? '') / 60_000) * 60_000,
  )
  const plain = await openPage({ path: LEDGER, context: TOKYO, javaScript: false })
  for (const text of await plain.locator('main time').allTextContents()) {
    expect(text).toMatch(/ UTC$/)
  }
})

test('keeps UTC on a receipt', async ({ stack, openPage }) => {
  const answer = await fetch(`${stack.origin}/api/donations?status=completed`)
  const { donations } = (await answer.json()) as { donations: { id: string }[] }
  const page = await openPage({ path: `/d/${donations[0]?.id}/receipt`, context: TOKYO })
  const receipt = page.locator('.receipt')
  expect(await receipt.textContent()).toMatch(/ UTC/)
  expect(await receipt.textContent()).not.toContain('GMT+9')
})

test('writes the moments of a part that arrives later in the zone of the reader', async ({
  stack,
  openPage,
}) => {
  const sql = postgres(stack.databaseUrl, { max: 1, onnotice: () => {} })
  onTestFinished(() => sql.end())
  const { id, path } = await createCampaign(stack)
  const page = await openPage({ path, context: TOKYO })
  await sql`
    update campaign set ends_at = '2030-01-01T20:00:00Z', updated_at = clock_timestamp()
    where id = ${id}`
  const ends = page.locator('live-part[name=progress] time[datetime^="2030-01-01"]')
  expect(await ends.getAttribute('title')).toMatch(/^Jan 2, 2030, 5:00\sAM GMT\+9$/)
})
