import { inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { setCover, setDrawing } from '../../../src/domain/campaigns/index.ts'
import { newId } from '../../../src/kernel/formats/ids.ts'
import { address } from '../../support/chain-facts.ts'
import { IMAGES } from '../../support/images.ts'
import { createTestCampaign } from '../../support/world.ts'
import { openCampaign } from './support/open-campaign.ts'

/** A picture as a site that shows a preview gets it. */
const pictureOf = async (
  site: { request(path: string): Response | Promise<Response> },
  path: string,
) => {
  const answer = await site.request(path)
  const bytes = Buffer.from(await answer.arrayBuffer())
  const size = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
  const data: Buffer[] = []
  for (let at = 8; at < bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    const end = at + 8 + bytes.readUInt32BE(at)
    if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT') data.push(bytes.subarray(at + 8, end))
  }
  return {
    status: answer.status,
    type: answer.headers.get('content-type'),
    size,
    bytes,
    pixels: inflateSync(Buffer.concat(data)),
  }
}

const asCreator = async () => {
  const pages = await openCampaign()
  const creator = pages.as({ kind: 'user', userId: pages.creator.userId, roles: [] })
  return { ...pages, asCreator: creator }
}

test('draws a picture of its own for each campaign, which follows its cover and its money', async () => {
  const { site, asCreator: creator, id, ctx, give, pay, settle, visit } = await asCreator()
  const draw = () => pictureOf(site, '/c/clean-water/share.png?lang=en')
  const plain = await draw()
  expect([plain.status, plain.type, plain.size]).toEqual([200, 'image/png', [1_200, 630]])
  const generic = await pictureOf(site, '/og.png')
  expect(plain.bytes.equals(generic.bytes)).toBe(false)
  await give('one')
  await pay('one')
  await settle()
  const given = await draw()
  expect(given.bytes.equals(plain.bytes)).toBe(false)
  expect((await draw()).bytes.equals(given.bytes)).toBe(true)
  await setCover(creator, id, IMAGES.PNG)
  await ctx.sql`update campaign set updated_at = now()`
  const covered = await draw()
  // The first pixels are those of the cover.
  expect(covered.pixels.subarray(0, 400).equals(given.pixels.subarray(0, 400))).toBe(false)
  const { html } = await visit('/c/clean-water?lang=de')
  expect(html).toMatch(/og:image" content="http:\/\/[^"]+\/c\/clean-water\/share\.png\?lang=de"/)
})

test('draws titles of any length and script, and covers that it cannot decode', async () => {
  const { site, asCreator: creator, id, ctx } = await asCreator()
  const seen = new Set<string>()
  const titles = [
    'W'.repeat(200),
    'Wells & <roofs> '.repeat(12),
    'ባኮ',
    'Brunnen für Bäko',
    '\u{1f4a7}',
  ]
  for (const title of titles) {
    await ctx.sql`update campaign set title = ${title}`
    const { status, size, bytes } = await pictureOf(site, '/c/clean-water/share.png')
    expect([title, status, size]).toEqual([title, 200, [1_200, 630]])
    seen.add(bytes.toString('base64'))
  }
  // A title that the fonts lack is left out: two pictures are the same.
  expect(seen.size).toBe(titles.length - 1)
  await setCover(creator, id, IMAGES['lossy WebP'] ?? IMAGES.PNG)
  expect((await pictureOf(site, '/c/clean-water/share.png')).size).toEqual([1_200, 630])
})

test('has a picture for a donation, and none for a draft or an unknown campaign', async () => {
  const { site, give, pay, settle, visit, ctx } = await asCreator()
  const { id } = await give('one')
  await pay('one')
  await settle()
  const { html } = await visit(`/d/${id}`)
  const [, path = ''] = /og:image" content="http:\/\/[^/]+([^"]+)"/.exec(html) ?? []
  expect(path).toBe(`/d/${id}/share.png?lang=en`)
  expect(html).not.toMatch(/og:[a-z]+" content="[^"]*0x/)
  const { status, size } = await pictureOf(site, path)
  expect([status, size]).toEqual([200, [1_200, 630]])
  await ctx.sql`update campaign set status = 'draft'`
  for (const hidden of [
    '/c/clean-water/share.png',
    '/c/dry-wells/share.png',
    `/d/${newId()}/share.png`,
  ]) {
    expect((await site.request(hidden)).status).toBe(404)
  }
})

test('gives each campaign without a cover a pattern of its own, grey after its end', async () => {
  const { site, visit, id, ctx } = await openCampaign()
  const read = async (path: string) => {
    const answer = await site.request(path)
    return { type: answer.headers.get('content-type'), text: await answer.text(), answer }
  }
  const [one, again, other, grey] = await Promise.all([
    read(`/patterns/green/${id}`),
    read(`/patterns/green/${id}`),
    read(`/patterns/green/${newId()}`),
    read(`/patterns/grey/${id}`),
  ])
  expect(one.type).toBe('image/svg+xml')
  expect(one.answer.headers.get('cache-control')).toContain('immutable')
  expect(one.text).toBe(again.text)
  expect(one.text.length).toBeLessThan(6_000)
  expect(new Set([one, other, grey].map(({ text }) => text)).size).toBe(3)
  expect((await visit('/')).html).toContain(`src="/patterns/green/${id}"`)
  await ctx.sql`update campaign set status = 'cancelled'`
  expect((await visit('/')).html).toContain(`src="/patterns/grey/${id}"`)
  for (const path of ['/patterns/red/1', '/patterns/green/1', `/patterns/red/${id}`]) {
    expect((await visit(path)).status).toBe(404)
  }
})

test('serves a drawn cover small, never to be run, and refuses the same file as an upload', async () => {
  const { site, asCreator: creator, id, ask, visit, signIn } = await asCreator()
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 9"/>')
  const { cover } = await setDrawing(creator, id, svg)
  expect(cover).toMatchObject({ type: 'image/svg+xml', width: 1_600, height: 900 })
  const path = `/api/campaigns/${id}/cover`
  expect((await visit('/')).html).toContain(`<img class="pic" src="${path}"`)
  const answer = await site.request(path, { headers: { 'accept-encoding': 'gzip' } })
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'image/svg+xml',
    'content-encoding': 'gzip',
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
  })
  const known = { 'if-none-match': answer.headers.get('etag') ?? '', 'accept-encoding': 'gzip' }
  expect((await site.request(path, { headers: known })).status).toBe(304)
  const { token } = await signIn()
  for (const type of ['image/svg+xml', 'image/png']) {
    const upload = { token, raw: svg, headers: { 'content-type': type } }
    expect([400, 415]).toContain((await ask('PUT', path, upload)).status)
  }
})

test('lists open and ended campaigns for search engines, and no draft', async () => {
  const { visit, ctx, creator } = await openCampaign()
  for (const status of ['completed', 'draft']) {
    const id = await createTestCampaign(ctx, { creator, account: address(status) })
    await ctx.sql`update campaign set status = ${status}, slug = ${status} where id = ${id}`
  }
  const { html, headers } = await visit('/sitemap.xml')
  expect(headers.get('content-type')).toBe('application/xml')
  const found = [...html.matchAll(/<loc>http:\/\/localhost:3000([^<]*)<\/loc>/g)].map(
    ([, path]) => path,
  )
  expect(found).toEqual(
    ['/', '/check', '/total', '/status', '/c/completed', '/c/clean-water'].toSorted(
      (a, b) => found.indexOf(a) - found.indexOf(b),
    ),
  )
  expect(html).toContain('<lastmod>1970-01-01T00:00:00.000Z</lastmod>')
})

test('has icons for devices, and the colour of the paper for their bars', async () => {
  const { site, visit } = await openCampaign()
  for (const path of ['/apple-touch-icon.png', '/favicon.ico']) {
    const { type, size } = await pictureOf(site, path)
    expect([type, size]).toEqual(['image/png', [180, 180]])
  }
  const { html } = await visit('/')
  expect(html).toContain('<link rel="apple-touch-icon" href="/apple-touch-icon.png"/>')
  expect(html).toMatch(
    /name="theme-color" content="#fbfaf7" media="\(prefers-color-scheme: light\)"/,
  )
  expect(html).toMatch(
    /name="theme-color" content="#111416" media="\(prefers-color-scheme: dark\)"/,
  )
  const dark = (await visit('/?theme=dark')).html
  expect(dark).toContain('<meta name="theme-color" content="#111416"/>')
  expect(dark).not.toContain('#fbfaf7')
})
