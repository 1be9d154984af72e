import { readFileSync } from 'node:fs'
import type { HonoRequest } from 'hono'
import { keepText } from '../answer/kept-text.ts'
import type { Outcome } from '../answer/outcome.ts'
import { errorsPage } from './errors.ts'

/** A page for people, which is not in the OpenAPI document. */
export type Page = {
  readonly method: 'get'
  readonly path: string
  readonly answer: (req: HonoRequest) => Outcome
}

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
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The redirects to the reference. The URLs are relative, because a proxy may add a path prefix. */
const REDIRECTS = [
  { path: '/', status: 302, to: 'docs' },
  { path: '/docs/', status: 308, to: '../docs' },
] as const

/** Creates the pages of the reference, which shows `/openapi.json`, and the page of error codes. */
export const createPages = (): Page[] => [
  ...Object.entries(FILES).map(([path, [file, type]]) =>
    pageOf(path, type, readFileSync(new URL(`./${file}`, import.meta.url), 'utf8')),
  ),
  pageOf('/docs/errors', 'text/html', errorsPage()),
  ...REDIRECTS.map(({ path, status, to }): Page => {
    const outcome = { status, text: null, headers: { Location: to } }
    return { method: 'get', path, answer: () => outcome }
  }),
]

const pageOf = (path: string, type: string, text: string): Page => {
  const kept = keepText(`${type}; charset=utf-8`, text, {
    'Content-Security-Policy': POLICY,
    'Cache-Control': 'no-cache',
  })
  return {
    method: 'get',
    path,
    answer: (req) => ({ text: null, ...kept((name) => req.header(name)) }),
  }
}
