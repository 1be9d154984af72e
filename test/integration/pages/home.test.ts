import { expect, test } from 'vitest'
import { address } from '../../support/chain-facts.ts'
import { createTestCampaign, createUser } from '../../support/world.ts'
import { createTestPages } from './support/test-pages.ts'

type Made = { title: string; category?: string; status?: string }

/** Creates these campaigns, and serves the pages. */
const setUp = async (made: Made[]) => {
  const pages = await createTestPages()
  const { ctx } = pages
  const creator = await createUser(ctx)
  for (const [index, { title, category = null, status = 'active' }] of made.entries()) {
    const account = address(`campaign ${index}`)
    const createdAt = new Date(1_000 * index)
    const id = await createTestCampaign(ctx, { creator, account, target: '100', createdAt })
    await ctx.sql`
      update campaign set title = ${title}, category = ${category}, status = ${status}
      where id = ${id}`
  }
  const titles = async (path: string) => {
    const { html } = await pages.visit(path)
    return [...html.matchAll(/<h3 class="row-title"><a [^>]+>([^<]+)</g)].map(([, title]) => title)
  }
  return { ...pages, titles }
}

test('lists open campaigns before ended ones, and finds them by words, category and state', async () => {
  const { titles, visit } = await setUp([
    { title: 'Wells', category: 'water' },
    { title: 'A roof', category: 'education', status: 'funded' },
    { title: 'A secret', status: 'draft' },
    { title: 'A pump', category: 'water', status: 'cancelled' },
  ])
  expect(await titles('/?utm_source=mail')).toEqual(['A roof', 'Wells', 'A pump'])
  expect(await titles('/?q=roo')).toEqual(['A roof'])
  expect(await titles('/?category=water')).toEqual(['Wells', 'A pump'])
  expect(await titles('/?category=water&status=cancelled')).toEqual(['A pump'])
  expect(await titles('/?status=draft')).toEqual(['A roof', 'Wells', 'A pump'])
  expect(await titles('/?q=&category=&status=')).toEqual(['A roof', 'Wells', 'A pump'])
  expect(await titles('/?q=bridge')).toEqual([])
  const { html } = await visit('/?q=bridge&category=water')
  expect(html).toContain('No campaign fits.')
  expect(html).toContain('value="bridge"')
  expect(html).toContain('<option value="water" selected>')
})

test('says if there is no campaign, and refuses a search with too many words', async () => {
  const { visit } = await setUp([])
  expect((await visit('/')).html).toContain('No campaign yet.')
  expect((await visit('/total')).html).toContain('No ledger has an entry yet.')
  const long = await visit(`/?q=${'a+'.repeat(40)}`)
  expect(long.status).toBe(400)
  expect(long.html).toContain('Search for fewer words.')
})

test('continues each list by cursors, and keeps the search', async () => {
  const made = Array.from({ length: 44 }, (_, index) => ({
    title: `Wells ${index}`,
    status: index < 22 ? 'completed' : 'active',
  }))
  const { titles, visit } = await setUp(made)
  expect((await titles('/?q=wells')).length).toBe(40)
  const { html } = await visit('/?q=wells')
  const older = [...html.matchAll(/href="([^"]+)" rel="next"/g)].map(([, path = '']) => path)
  expect(older.every((path) => path.includes('q=wells'))).toBe(true)
  expect(await Promise.all(older.map((path) => titles(path.replaceAll('&amp;', '&'))))).toEqual([
    ['Wells 23', 'Wells 22'],
    ['Wells 1', 'Wells 0'],
  ])
})
