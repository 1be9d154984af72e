import { readFileSync } from 'node:fs'
import type { Outcome } from './operation.ts'

/** A page for people: no part of the interface, so not in its document. */
export type Page = { readonly method: 'get'; readonly path: string; readonly outcome: Outcome }

const FILES = {
  '/docs': ['index.html', 'text/html'],
  '/docs/reference.css': ['reference.css', 'text/css'],
  '/docs/reference.js': ['reference.js', 'text/javascript'],
  '/docs/schema.js': ['schema.js', 'text/javascript'],
  '/docs/write.js': ['write.js', 'text/javascript'],
} as const

/** The page may read the document and its own files, and nothing else in the world. */
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

/** The browsable reference: a page that renders `/openapi.json`, served from this package. */
export const createPages = (): Page[] =>
  Object.entries(FILES).map(([path, [file, type]]) => ({
    method: 'get',
    path,
    outcome: {
      status: 200,
      text: readFileSync(new URL(`./docs/${file}`, import.meta.url), 'utf8'),
      headers: {
        'Content-Type': `${type}; charset=utf-8`,
        'Content-Security-Policy': POLICY,
        'Cache-Control': 'no-cache',
      },
    },
  }))
