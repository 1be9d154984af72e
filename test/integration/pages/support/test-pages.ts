import type { Hono } from 'hono'
import { onTestFinished } from 'vitest'
import { createApp } from '../../../../src/api/app.ts'
import type { AppDeps } from '../../../../src/edge/deps.ts'
import { createLive, createPages } from '../../../../src/pages/index.ts'
import type { WorldOptions } from '../../../support/world.ts'
import { createTestApi, type TestApi } from '../../http/support/api.ts'

export type Visited = { status: number; headers: Headers; html: string; location: string | null }

type Visiting = {
  /** The value of the header `Cookie`. */
  cookie?: string | undefined
  /** The fields of a form, which are posted as by a page of this site. */
  form?: Record<string, string>
  headers?: Record<string, string>
}

export type TestPages = TestApi & {
  site: Hono
  /** Requests a page in English, as a browser does. */
  visit(path: string, visiting?: Visiting): Promise<Visited>
}

/** The API and the pages over a new database for this test. */
export const createTestPages = async (
  options: WorldOptions & { deps?: Partial<AppDeps> } = {},
): Promise<TestPages> => pagesOf(await createTestApi(options))

/** The pages over the database of an API. */
export const pagesOf = async (api: TestApi): Promise<TestPages> => {
  const live = createLive({ ctx: api.as({ kind: 'anonymous' }), pauseMs: 50 })
  onTestFinished(() => live.stop())
  const site = createApp(api.deps, await createPages({ ...api.deps, live }))
  return {
    ...api,
    site,
    async visit(path, { cookie, form, headers } = {}) {
      const answer = await site.request(path, {
        method: form ? 'POST' : 'GET',
        headers: {
          accept: 'text/html',
          'accept-language': 'en',
          ...(form ? { 'sec-fetch-site': 'same-origin' } : {}),
          ...(cookie ? { cookie } : {}),
          ...headers,
        },
        ...(form ? { body: new URLSearchParams(form) } : {}),
      })
      return {
        status: answer.status,
        headers: answer.headers,
        html: await answer.text(),
        location: answer.headers.get('location'),
      }
    },
  }
}
