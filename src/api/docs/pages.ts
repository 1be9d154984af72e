import { readFileSync } from 'node:fs'
import { keepText } from '../../edge/answer/kept-text.ts'
import type { PageRoute } from '../../edge/page-route.ts'
import { errorsPage } from './errors.ts'

const FILES = {
  '/robots.txt': ['robots.txt', 'text/plain'],
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
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Creates the reference, which shows `/openapi.json`, the page of error codes and `robots.txt`. */
export const createDocs = (): PageRoute[] => [
  ...Object.entries(FILES).map(([path, [file, type]]) =>
    pageOf(path, type, readFileSync(new URL(`./${file}`, import.meta.url), 'utf8')),
  ),
  pageOf('/docs/errors', 'text/html', errorsPage()),
  // The URL is relative, because a proxy may add a path prefix.
  routeOf('/docs/', async () => ({ status: 308, text: null, headers: { Location: '../docs' } })),
]

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
