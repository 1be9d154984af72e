import { renderToString } from 'preact-render-to-string'
import { describe, expect, test } from 'vitest'
import { DomainError } from '../../../../src/kernel/errors.ts'
import type { Frame } from '../../../../src/pages/layout/document.tsx'
import { errorPage } from '../../../../src/pages/layout/error-page.tsx'
import { LANGUAGES, type Language } from '../../../../src/pages/shared/languages.ts'
import { type ErrorKind, errorTexts } from '../../../../src/pages/texts/errors/index.ts'
import { expectTexts } from '../support/expect-texts.ts'

const PAGES: readonly (readonly [number, ErrorKind])[] = [
  [400, 'badRequest'],
  [401, 'signIn'],
  [403, 'forbidden'],
  [404, 'notFound'],
  [409, 'conflict'],
  [410, 'gone'],
  [415, 'badRequest'],
  [429, 'tooMany'],
  [451, 'legal'],
  [500, 'ours'],
  [503, 'unavailable'],
]

const pageOf = (lang: Language, status: number, retryAfter?: string) => {
  const refusal = new DomainError('internal', 'Only for the log.')
  const frame = { lang, path: '/account?tab=1' } as Frame
  const { title, head, body } = errorPage({
    refusal,
    status,
    retryAfter,
    requestId: 'request-1',
    frame,
  })
  const html = renderToString(
    <div>
      {head}
      {body}
    </div>,
  )
  return { title, html }
}

describe.each(LANGUAGES)('an error page in %s', (lang) => {
  const t = errorTexts[lang]

  test.each(PAGES)('says for %i what happened, and names the request', (status, kind) => {
    const { title, html } = pageOf(lang, status)
    expect(title).toBe(t[kind].title)
    expectTexts(html, t[kind].what, 'request-1', '<a href="/">')
  })

  test('says after a limit when to try again', () => {
    expect(pageOf(lang, 429, '1').html).toContain(t.retry(1))
    expect(pageOf(lang, 429, '30').html).toContain(t.retry(30))
    expect(t.retry(1)).not.toBe(t.retry(30).replace('30', '1'))
  })
})

test('leads to the sign-in and back, and asks again by itself when the service is away', () => {
  expect(pageOf('en', 401).html).toContain('href="/sign-in?to=%2Faccount%3Ftab%3D1"')
  expect(pageOf('en', 503, '7').html).toContain('http-equiv="refresh" content="7"')
})
