import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../../../src/db/client.ts'
import { openCampaign } from './support/open-campaign.ts'
import { createTestPages } from './support/test-pages.ts'

test('answers with HTML under a strict policy, and ignores unknown parameters', async () => {
  const { visit } = await createTestPages()
  const { status, headers, html } = await visit('/?utm_source=mail')
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  const policy = headers.get('content-security-policy') ?? ''
  expect(policy).toContain("script-src 'self';")
  expect(policy).toContain("require-trusted-types-for 'script'")
  expect(policy).not.toContain('unsafe')
  expect(html).toMatch(/^<!doctype html><html lang="en" data-theme="auto">/)
  expect(html).not.toMatch(/ style="|<script>| on\w+="/)
})

test('has the language of the address, else of the cookie, else of the browser', async () => {
  const { visit } = await createTestPages()
  const langOf = async (path: string, cookie: string | undefined, accepted: string) => {
    const { html, headers } = await visit(path, {
      cookie,
      headers: { 'accept-language': accepted },
    })
    const [, lang] = /<html lang="(\w+)"/.exec(html) ?? []
    expect(headers.get('content-language')).toBe(lang)
    return lang
  }
  expect(await langOf('/?lang=fr', 'lang=es', 'de')).toBe('fr')
  expect(await langOf('/?lang=xx', 'lang=es', 'de')).toBe('es')
  expect(await langOf('/', undefined, 'nl, de-AT;q=0.8, en;q=0.5')).toBe('de')
  expect(await langOf('/', undefined, 'pt;q=0, nl')).toBe('en')
})

test('keeps a chosen language and theme in a cookie', async () => {
  const { visit } = await createTestPages()
  const german = await visit('/?lang=de')
  expect(german.headers.get('set-cookie')).toMatch(/^lang=de; Path=\/; .*HttpOnly/)
  const dark = await visit('/?theme=dark')
  expect(dark.headers.get('set-cookie')).toMatch(/^theme=dark; /)
  expect((await visit('/', { cookie: 'theme=dark' })).html).toContain('data-theme="dark"')
  expect((await visit('/?theme=pink')).headers.get('set-cookie')).toBeNull()
})

test('answers an unchanged page with 304, but not in another language', async () => {
  const { visit } = await createTestPages()
  const tag = (await visit('/')).headers.get('etag') ?? ''
  const again = { 'if-none-match': tag }
  expect((await visit('/', { headers: again })).status).toBe(304)
  expect((await visit('/?lang=de', { headers: again })).status).toBe(200)
})

test('shows errors as pages to browsers, and as JSON to clients of the API', async () => {
  const { visit, site } = await createTestPages()
  const missing = await visit('/nowhere?lang=de')
  expect(missing.status).toBe(404)
  expect(missing.html).toContain('<h1>Seite nicht gefunden</h1>')
  expect(missing.html).toContain(missing.headers.get('x-request-id'))
  expect(missing.html).toContain('<meta name="robots" content="noindex"/>')
  const api = await visit('/api/nowhere')
  expect(JSON.parse(api.html)).toMatchObject({ code: 'route_not_found' })
  const curl = await site.request('/nowhere')
  expect(await curl.json()).toMatchObject({ code: 'route_not_found' })
})

test('refuses visitors of a blocked country with a page that says what it means', async () => {
  const { visit } = await createTestPages({
    settings: { blockedCountries: new Set(['XX']), countryHeader: 'x-country' },
  })
  const blocked = await visit('/', { headers: { 'x-country': 'XX' } })
  expect(blocked.status).toBe(451)
  expect(blocked.headers.get('link')).toContain('rel="blocked-by"')
  expect(blocked.html).toContain('Not available in your country')
})

test('shows a failure of the database as a page, without what failed', async () => {
  const { visit, url } = await createTestPages()
  const owner = createDatabase({ url, max: 1, asAppRole: false })
  onTestFinished(() => owner.end())
  await owner`alter table campaign rename to gone`
  const failed = await visit('/')
  expect(failed.status).toBe(500)
  expect(failed.html).toContain('Something went wrong on our side')
  expect(failed.html).not.toContain('relation')
})

test('serves assets compressed, for ever, under names of their content', async () => {
  const { site, visit } = await createTestPages()
  const { html } = await visit('/')
  const paths = [...html.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, path = '']) => path)
  expect(paths.length).toBeGreaterThan(2)
  for (const path of paths) {
    const asset = await site.request(path, { headers: { 'accept-encoding': 'gzip, br' } })
    expect([path, asset.status]).toEqual([path, 200])
    expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    if (/\.(css|js)$/.test(path)) expect(asset.headers.get('content-encoding')).toBe('br')
  }
})

test('serves assets in the coding that the browser likes most, each with its own ETag', async () => {
  const { site, visit } = await createTestPages()
  const [, path = ''] = /"(\/assets\/app-[^"]+\.css)"/.exec((await visit('/')).html) ?? []
  const read = async (accepted: string, known = '') => {
    const headers = { 'accept-encoding': accepted, 'if-none-match': known }
    const answer = await site.request(path, { headers })
    const bytes = Buffer.from(await answer.arrayBuffer())
    const [coding, tag] = ['content-encoding', 'etag'].map((name) => answer.headers.get(name))
    return { status: answer.status, coding, tag: tag ?? '', bytes }
  }
  const plain = await read('identity, br;q=0')
  const gzip = await read('gzip')
  const brotli = await read('gzip, deflate, br, zstd')
  expect([plain.coding, gzip.coding, brotli.coding]).toEqual([null, 'gzip', 'br'])
  expect(gunzipSync(gzip.bytes).equals(plain.bytes)).toBe(true)
  expect(brotliDecompressSync(brotli.bytes).equals(plain.bytes)).toBe(true)
  expect(brotli.bytes.byteLength).toBeLessThan(gzip.bytes.byteLength)
  expect(new Set([plain.tag, gzip.tag, brotli.tag]).size).toBe(3)

  for (const [accepted, coding] of [
    ['br;q=0.5, gzip', 'gzip'],
    ['gzip;q=0.5, BR;q=0.6', 'br'],
    ['br;q=0, *', 'gzip'],
    ['gzip;q=0.5, *;q=0.1', 'gzip'],
    ['*', 'br'],
    ['br;q=x', null],
    ['', null],
  ] as const) {
    expect([accepted, (await read(accepted)).coding]).toEqual([accepted, coding])
  }
  expect((await read('br', brotli.tag)).status).toBe(304)
  expect((await read('br', gzip.tag)).status).toBe(200)
  expect((await read('gzip', brotli.tag)).status).toBe(200)
})

test('refuses characters that cannot be stored, wherever they stand', async () => {
  const { visit } = await createTestPages()
  expect((await visit('/?q=%00x')).status).toBe(400)
  expect((await visit('/c/a%00b')).status).toBe(400)
  expect((await visit('/sign-in', { form: { username: 'a\0b', password: 'x' } })).status).toBe(400)
})

test('links to no other host from a path that begins with two slashes', async () => {
  const { visit } = await createTestPages()
  const { status, html } = await visit('//evil.example/login')
  expect(status).toBe(404)
  expect(html).not.toMatch(/(?:href|action)="\/\//)
})

test('lets search engines index pages, and no answer of the API, no file and no hidden page', async () => {
  const { visit, id } = await openCampaign()
  const robots = await visit('/robots.txt')
  expect([robots.status, robots.headers.get('content-type')]).toEqual([
    200,
    'text/plain; charset=utf-8',
  ])
  expect(robots.html).toMatch(
    /^User-agent: \*\n(Disallow: .+\n)+\nSitemap: http:\/\/localhost:3000\/sitemap\.xml\n$/,
  )
  expect(robots.html).toContain('\nDisallow: /api/\n')
  const tagOf = async (path: string) => (await visit(path)).headers.get('x-robots-tag')
  for (const path of ['/', '/c/clean-water', '/c/clean-water/ledger', '/status', '/docs']) {
    expect([path, await tagOf(path)]).toEqual([path, null])
  }
  const style = /href="(\/assets\/app-\w+\.css)"/.exec((await visit('/')).html)?.[1] ?? ''
  const hidden = ['/api/campaigns', `/api/campaigns/${id}/donations.csv`, '/openapi.json', style]
  for (const path of [...hidden, '/api/unknown', '/unknown', '/robots.txt']) {
    expect([path, await tagOf(path)]).toEqual([path, 'noindex'])
  }
})
