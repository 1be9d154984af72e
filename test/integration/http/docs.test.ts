import { expect, test } from 'vitest'
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
      ...text.matchAll(/from '(\.\/[\w./-]+)'/g),
    ]
    for (const [, link = ''] of links) await visit(new URL(link, `http://x${path}`).pathname)
  }
  await visit('/docs')
  expect([...seen].sort()).toEqual([
    '/docs',
    '/docs/reference.css',
    '/docs/reference.js',
    '/docs/schema.js',
    '/docs/write.js',
  ])
  const refused = await api.ask('POST', '/docs')
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
  expect((await api.ask('GET', '/docs/../package.json')).status).toBe(404)
})
