import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { keepText } from '../../edge/answer/kept-text.ts'
import type { PageRoute } from '../../edge/page-route.ts'
import { errorsPage } from './errors.ts'

const FILES = {
  '/docs': ['index.html', 'text/html'],
  '/docs/reference.css': ['reference.css', 'text/css'],
  '/docs/reference.js': ['reference.js', 'text/javascript'],
  '/docs/samples.js': ['samples.js', 'text/javascript'],
  '/docs/schema.js': ['schema.js', 'text/javascript'],
  '/docs/write.js': ['write.js', 'text/javascript'],
} as const

/** The Content-Security-Policy: a page may load only files and data of this service. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "font-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The font of the headings, as the pages have it. */
const FONT = '@fontsource-variable/source-serif-4/files/source-serif-4-latin-wght-normal.woff2'

/** Creates the reference, which shows `/openapi.json`, the page of error codes and `robots.txt`. */
export const createDocs = (publicUrl: string): PageRoute[] => [
  ...Object.entries(FILES).map(([path, [file, type]]) =>
    pageOf(path, type, readFileSync(new URL(`./${file}`, import.meta.url), 'utf8')),
  ),
  pageOf('/docs/errors', 'text/html', errorsPage()),
  pageOf('/robots.txt', 'text/plain', robotsOf(publicUrl)),
  fontOf('/docs/font.woff2', readFileSync(fileURLToPath(import.meta.resolve(FONT)))),
  // The URL is relative, because a proxy may add a path prefix.
  routeOf('/docs/', async () => ({ status: 308, text: null, headers: { Location: '../docs' } })),
]

/** The file for search engines. The address of the sitemap must be absolute. */
const robotsOf = (publicUrl: string): string =>
  `${readFileSync(new URL('./robots.txt', import.meta.url), 'utf8')}
Sitemap: ${new URL('/sitemap.xml', publicUrl).href}
`

const fontOf = (path: string, bytes: Buffer<ArrayBuffer>): PageRoute => {
  const headers = { 'Content-Type': 'font/woff2', 'Cache-Control': 'public, max-age=86400' }
  return routeOf(path, async ({ limits }) => {
    limits.countNothing()
    return { status: 200, text: null, bytes, headers }
  })
}

const pageOf = (path: string, type: string, text: string): PageRoute => {
  const kept = keepText(`${type}; charset=utf-8`, text, {
    'Content-Security-Policy': POLICY,
    'Cache-Control': 'no-cache',
    ...(type === 'text/html' ? { 'X-Robots-Tag': '' } : {}),
  })
  return routeOf(path, async ({ limits }, req) => {
    limits.countPage()
    return { text: null, ...kept((name) => req.header(name)) }
  })
}

const routeOf = (path: string, answer: PageRoute['answer']): PageRoute => ({
  method: 'get',
  path,
  name: 'docs',
  answer,
})
