import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { STATUS_OF } from '../../../src/edge/errors.ts'
import { createTestApi } from './support/api.ts'

test('serves a reference that can be read in a browser and loads nothing from outside', async () => {
  const api = await createTestApi()
  const seen = new Set<string>()
  const types: Record<string, string> = { '': 'html', css: 'css', js: 'javascript' }
  const visit = async (path: string): Promise<void> => {
    if (seen.has(path)) return
    seen.add(path)
    const answer = await api.app.request(path)
    const text = await answer.text()
    expect([path, answer.status]).toEqual([path, 200])
    expect(answer.headers.get('content-type')).toBe(
      `text/${types[/\.(\w+)$/.exec(path)?.[1] ?? '']}; charset=utf-8`,
    )
    const policy = answer.headers.get('content-security-policy')
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
    expect(answer.headers.get('x-request-id')).toBeTruthy()
    expect(text).not.toMatch(/https?:\/\/|innerHTML|\beval\(|@import url/)
    const links = [
      ...text.matchAll(/(?:src|href)="([\w./-]+\.(?:css|js))"/g),
      ...text.matchAll(/(?:href="|link\(')(docs\/\w+|\.\.\/docs)['"]/g),
      ...text.matchAll(/from '(\.\/[\w./-]+)'/g),
    ]
    // The script resolves links against the page that loads the script.
    const base = path.endsWith('/reference.js') ? '/docs' : path
    for (const [, link = ''] of links) {
      await visit(new URL(link, `http://x${link.startsWith('./') ? path : base}`).pathname)
    }
  }
  await visit('/docs')
  expect([...seen].sort()).toEqual([
    '/docs',
    '/docs/errors',
    '/docs/reference.css',
    '/docs/reference.js',
    '/docs/samples.js',
    '/docs/schema.js',
    '/docs/write.js',
  ])
  const refused = await api.ask('POST', '/docs')
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
  expect((await api.ask('GET', '/docs/../package.json')).status).toBe(404)
})

test('has a page of all error codes, each with its status and what to do about it', async () => {
  const api = await createTestApi()
  const text = await (await api.app.request('/docs/errors')).text()
  const rows = [...text.matchAll(/<tr id="(\w+)">(.*)<\/tr>/g)].map(([, code = '', row = '']) => {
    const [, status, meaning, remedy] = [...row.matchAll(/<td>(.*?)<\/td>/g)].map(
      ([, cell]) => cell,
    )
    expect(meaning, code).toMatch(/\.$/)
    expect(remedy, code).toMatch(/\.$/)
    return [code, Number(status)]
  })
  expect(Object.fromEntries(rows)).toEqual(STATUS_OF)
  expect(text).toContain('<code>Authorization: Bearer &lt;access token&gt;</code>')
})

test('leads from a closing slash to the reference', async () => {
  const api = await createTestApi()
  const leads = async (path: string) => {
    const answer = await api.app.request(path)
    const location = answer.headers.get('location') ?? ''
    return [answer.status, await answer.text(), new URL(location, `http://x${path}`).pathname]
  }
  expect(await leads('/docs/')).toEqual([308, '', '/docs'])
  const url = await api.listen()
  expect(await (await fetch(`${url}/docs/`)).text()).toContain('Fundproof reference')
  expect((await fetch(`${url}/docs`, { method: 'POST', redirect: 'manual' })).status).toBe(405)
})

test('sends the document compressed to those that take it so, and once only', async () => {
  const api = await createTestApi({ deps: { corsOrigins: ['https://give.example'] } })
  const read = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await api.app.request(path, { headers })
    const bytes = Buffer.from(await answer.arrayBuffer())
    return { status: answer.status, headers: answer.headers, bytes }
  }
  const plain = await read('/openapi.json')
  expect(JSON.parse(plain.bytes.toString())).toMatchObject({ openapi: '3.1.0' })
  expect(plain.headers.get('content-encoding')).toBeNull()
  expect(plain.headers.get('vary')).toBe('Origin, Prefer, Accept-Encoding')
  const tags = new Set([plain.headers.get('etag')])

  for (const accepted of ['gzip', 'br, GZIP;q=0.1', '*', 'deflate, x-gzip; q=1']) {
    const short = await read('/openapi.json', { 'accept-encoding': accepted })
    expect([accepted, short.headers.get('content-encoding')]).toEqual([accepted, 'gzip'])
    expect(short.bytes.byteLength).toBeLessThan(plain.bytes.byteLength / 8)
    expect(short.headers.get('content-length')).toBe(String(short.bytes.byteLength))
    expect(gunzipSync(short.bytes).equals(plain.bytes)).toBe(true)
    tags.add(short.headers.get('etag'))
  }
  expect(tags.size).toBe(2)
  for (const accepted of [
    '',
    'identity',
    'gzip;q=0, *',
    'gzip; q=0.0',
    'br',
    '*;q=0',
    'gzip;q=x',
  ]) {
    const whole = await read('/openapi.json', { 'accept-encoding': accepted })
    expect([accepted, whole.headers.get('content-encoding')]).toEqual([accepted, null])
  }

  const etag = plain.headers.get('etag') ?? ''
  for (const known of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
    const { status, headers, bytes } = await read('/openapi.json', { 'if-none-match': known })
    expect([known, status, bytes.byteLength, headers.get('etag')]).toEqual([known, 304, 0, etag])
    expect(headers.get('cache-control')).toBe('public, max-age=300')
    expect(headers.get('content-type')).toBeNull()
  }
  const other = { 'if-none-match': etag, 'accept-encoding': 'gzip' }
  expect((await read('/openapi.json', other)).status).toBe(200)
  expect((await read('/openapi.json', { 'if-none-match': etag.slice(1, -1) })).status).toBe(200)
  const script = await read('/docs/reference.js', { 'accept-encoding': 'gzip' })
  const again = { 'accept-encoding': 'gzip', 'if-none-match': script.headers.get('etag') ?? '' }
  expect((await read('/docs/reference.js', again)).status).toBe(304)
  const known = { headers: { 'if-none-match': etag } }
  expect((await api.ask('GET', '/openapi.json', known)).status).toBe(304)
})
