import { expect, onTestFinished, test } from 'vitest'
import { postUpdate } from '../../../src/domain/campaigns/index.ts'
import { address } from '../../support/chain-facts.ts'
import { including, waitFor } from '../../support/wait-for.ts'
import { createTestCampaign } from '../../support/world.ts'
import { openCampaign } from './support/open-campaign.ts'
import { signUpPage } from './support/page-user.ts'
import { readLive } from './support/read-live.ts'

test('has one address for a campaign, and leads there from its id', async () => {
  const { visit, id } = await openCampaign()
  const page = await visit('/c/clean-water?utm_source=mail&page=7')
  expect(page.status).toBe(200)
  expect(page.html).toContain('<h1>Clean water</h1>')
  expect(page.html).toMatch(/<link rel="canonical" href="[^"?]+\/c\/clean-water"/)
  for (const rest of ['', '?lang=de', '/ledger', '/donations?status=failed', '/updates']) {
    const moved = await visit(`/c/${id}${rest}`)
    expect([moved.status, moved.location]).toEqual([301, `/c/clean-water${rest}`])
  }
  expect((await visit('/c/Clean-Water')).location).toBe('/c/clean-water')
})

test.each(['/c/dry-wells', '/c/x_y', '/c/a%20b', '/c/dry-wells/ledger', '/c/dry-wells/live'])(
  'says that there is no campaign at %s',
  async (path) => {
    const { visit } = await openCampaign()
    const page = await visit(path)
    expect(page.status).toBe(404)
    expect(page.html).toContain('<h1>Page not found</h1>')
  },
)

test('shows a draft to its creator only, and never to search engines', async () => {
  const pages = await openCampaign()
  const cookie = await signUpPage(pages, 'amina')
  await pages.ctx.sql`
    update campaign set status = 'draft', creator_id =
      (select id from app_user where email = 'amina@example.org')`
  const page = await pages.visit('/c/clean-water', { cookie })
  expect(page.status).toBe(200)
  expect(page.html).toContain('This is a draft.')
  expect(page.html).toContain('<meta name="robots" content="noindex"/>')
  expect(page.html).not.toContain('og:title')
  for (const path of ['/c/clean-water', '/c/clean-water/ledger', '/embed/c/clean-water']) {
    expect((await pages.visit(path)).status).toBe(404)
  }
  for (const path of ['/c/clean-water/live', '/embed/c/clean-water']) {
    expect((await pages.visit(path, { cookie })).status).toBe(404)
  }
  expect((await pages.visit('/')).html).not.toContain('/c/clean-water')
})

test('shows the money of each step of a donation', async () => {
  const { visit, give, pay, settle } = await openCampaign()
  const { id } = await give('one', { words: { name: 'Ada' } })
  for (let index = 0; index < 11; index++) {
    await give(`unpaid ${index}`, {
      wallet: address(`wallet ${index}`),
      words: { name: 'Mallory' },
    })
  }
  const shown = async () => (await visit('/c/clean-water')).html.replaceAll('\u00a0', ' ')
  expect(await shown()).toContain('No donation yet.')
  expect(await shown()).not.toMatch(/Ada|Mallory/)
  await pay('one')
  const confirming = await shown()
  expect(confirming).toContain('Ada')
  expect(confirming).not.toContain('Mallory')
  expect(confirming).toContain('Confirming')
  expect(confirming).toContain('+ 10 USDC waiting for finality')
  await settle()
  const proven = await shown()
  expect(proven).toContain(`href="/d/${id}"`)
  expect(proven).toContain('<span>Credited</span>')
  expect(proven).toContain('10 USDC raised of 1,000 USDC')
  expect(proven).not.toContain('waiting for finality')
})

test('shows the words of an unpaid donation only to the guest who gives', async () => {
  const { visit } = await openCampaign()
  const form = { amount: '10', currency: 'USDC', wallet: address('donor'), name: 'Ada Lovelace' }
  const given = await visit('/c/clean-water/donate', { form })
  const path = given.location ?? ''
  const cookie = given.headers.get('set-cookie')?.split(';')[0]
  expect((await visit(path, { cookie })).html).toContain('Ada Lovelace')
  for (const seen of [path, '/c/clean-water', '/c/clean-water/donations']) {
    const page = await visit(seen)
    expect(page.status).toBe(200)
    expect(page.html).not.toContain('Ada Lovelace')
  }
})

test('lists donations of a state, and continues by cursors', async () => {
  const { visit, ctx, give } = await openCampaign()
  const rows = (html: string) => html.match(/<tr/g)?.length ?? 0
  for (let index = 0; index < 28; index++)
    await give(`tx ${index}`, { wallet: address(`donor ${index}`) })
  expect(rows((await visit('/c/clean-water/donations')).html)).toBe(0)
  expect((await visit('/c/clean-water/donations?status=pending')).html).not.toContain('<tr')
  await ctx.sql`update donation set status = 'reversed'`
  await ctx.sql`update donation set status = 'failed', reason = 'unmatched'
                where id = (select id from donation order by created_at, id limit 1)`
  const first = await visit('/c/clean-water/donations')
  expect(rows(first.html)).toBe(1 + 25)
  const [, older = ''] = /href="([^"]+)" rel="next"/.exec(first.html) ?? []
  const second = await visit(older.replaceAll('&amp;', '&'))
  expect(rows(second.html)).toBe(1 + 2)
  expect(second.html).toContain('href="/c/clean-water/donations">Newest</a>')
  const failed = await visit('/c/clean-water/donations?status=failed')
  expect(rows(failed.html)).toBe(1 + 1)
  const unknown = await visit('/c/clean-water/donations?status=no')
  expect(rows(unknown.html)).toBe(1 + 25)
  expect(unknown.html).not.toContain('?status=no&amp;cursor')
  expect((await visit('/c/clean-water/donations?cursor=no')).status).toBe(400)
})

test('shows ledger entries, and updates with their whole texts', async () => {
  const { visit, ctx, id, creator, give, pay, settle } = await openCampaign()
  expect((await visit('/c/clean-water/ledger')).html).toContain('No entry yet.')
  const donation = (await give('one')).id
  await pay('one')
  await settle()
  const ledger = await visit('/c/clean-water/ledger')
  expect(ledger.html).toContain(`<a href="/d/${donation}">Donation `)
  expect(ledger.html).toContain('No entry is sealed yet.')
  expect((await visit('/c/clean-water/updates')).html).toContain('No update yet.')
  const content = `${'Water. '.repeat(200)}At last.`
  await postUpdate(
    { ...ctx, actor: creator },
    { campaignId: id, type: 'news', title: 'News', content, media: [] },
  )
  expect((await visit('/c/clean-water/updates')).html).toContain('At last.')
})

test('shortens long updates where it shows several, and shows one alone as a whole', async () => {
  const { visit, ctx, id, creator } = await openCampaign()
  const content = `${'&'.repeat(49_990)} At last.`
  const media = Array.from({ length: 20 }, (_, index) => ({
    ...{ type: 'image', url: `https://example.org/${index}${'x'.repeat(1_900)}` },
    caption: `Picture ${index}`,
  }))
  for (let count = 0; count < 11; count++) {
    const update = { campaignId: id, type: 'news', title: `News ${count}`, content, media }
    await postUpdate({ ...ctx, actor: creator }, update)
  }
  const several = await visit('/c/clean-water/updates')
  expect(several.html.match(/>News \d+</g)).toHaveLength(10)
  expect(several.html).not.toContain('At last.')
  expect(several.html.length).toBeLessThan(200_000)
  expect((await visit('/c/clean-water')).html.length).toBeLessThan(100_000)
  const [, path = ''] = /href="([^"]+)">News 10</.exec(several.html) ?? []
  const alone = await visit(path)
  expect(alone.html.match(/>News \d+</g)).toEqual(['>News 10<'])
  expect(alone.html).toContain('At last.')
  expect(alone.html).toContain('Picture 19')
  const other = await createTestCampaign(ctx, { creator, account: address('other') })
  await ctx.sql`update campaign set slug = 'other' where id = ${other}`
  expect((await visit(path.replace('clean-water', 'other'))).html).not.toContain('At last.')
  expect((await visit('/c/clean-water/updates?update=no')).status).toBe(200)
})

test('says why donations take longer', async () => {
  const { visit, ctx } = await openCampaign()
  await ctx.sql`update chain_state set halted_at = now()`
  expect((await visit('/c/clean-water')).html).toContain('This chain is paused.')
})

test('keeps open pages up to date, each in its language', async () => {
  const { site, give, pay, settle } = await openCampaign()
  const answer = await site.request('/c/clean-water/live?lang=de')
  expect(answer.headers.get('content-type')).toBe('text/event-stream')
  const reader = answer.body?.getReader()
  onTestFinished(() => reader?.cancel())
  let read = ''
  void (async () => {
    for (let piece = await reader?.read(); piece?.value; piece = await reader?.read()) {
      read += new TextDecoder().decode(piece.value)
    }
  })()
  const seen = (text: string) => waitFor(`the stream to have ${text}`, () => read, including(text))
  await seen('Noch keine Spende')
  expect(read.match(/^event: \w+/gm)).toEqual(
    expect.arrayContaining(['event: progress', 'event: milestones', 'event: donations']),
  )
  await give('one')
  await pay('one')
  await seen('Wird bestätigt')
  await settle()
  await seen('Gutgeschrieben')
})

// The first letter has three bytes in UTF-8. The ampersand becomes five characters in HTML.
test.each(['水', '&'])('keeps the largest page up to date, with texts of %s', async (letter) => {
  const { site, ctx, id, give, pay } = await openCampaign()
  await ctx.sql`
    insert into milestone (id, campaign_id, position, title, description, amount, cumulative)
    select gen_random_uuid(), ${id}, position, repeat(${letter}, 200), repeat(${letter}, 5000),
           1, position + 1
    from generate_series(0, 49) position on conflict do nothing`
  const live = await readLive(site, '/c/clean-water/live')
  await live.comes('donations', 1)
  await give('one')
  await pay('one')
  await live.comes('donations', 2)
})

test('gives other sites a title, a description and a picture', async () => {
  const { visit, ctx } = await openCampaign()
  await ctx.sql`update campaign set description = ${'Wells and more wells. '.repeat(20)}`
  const { html } = await visit('/c/clean-water')
  expect(html).toContain('<meta property="og:title" content="Clean water"/>')
  expect(html).toMatch(/og:url" content="https?:\/\/[^"]+\/c\/clean-water"/)
  const [, description = ''] = /og:description" content="([^"]+)"/.exec(html) ?? []
  expect(description).toMatch(/^Wells and more .{100,160}…$/)
  const [, picture = ''] = /og:image" content="https?:\/\/[^/]+([^"]+)"/.exec(html) ?? []
  const answer = await visit(picture)
  expect(answer.headers.get('content-type')).toBe('image/png')
  expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
})

test('lets other sites frame the card, and only the card', async () => {
  const { visit, id } = await openCampaign()
  for (const name of ['clean-water', id]) {
    const { headers, html } = await visit(`/embed/c/${name}`)
    expect(headers.get('x-frame-options')).toBeNull()
    expect(headers.get('content-security-policy')).toContain('frame-ancestors *;')
    expect(html).toContain('href="/c/clean-water/donate" target="_blank"')
    expect(html).not.toContain('<header')
  }
  for (const path of ['/c/clean-water', '/embed/c/dry-wells']) {
    const { headers } = await visit(path)
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  }
  const script = await visit('/embed.js')
  expect(script.headers.get('content-type')).toContain('text/javascript')
  expect(script.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
  expect(Buffer.byteLength(script.html)).toBeLessThanOrEqual(1_024)
})
