import { createHash } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { createApp } from '../../../../src/api/app.ts'
import { createHttpServer } from '../../../../src/api/server.ts'
import { campaignVersion } from '../../../../src/domain/events/index.ts'
import {
  createAttempts,
  createPolicies,
  createRateLimiter,
} from '../../../../src/domain/service/index.ts'
import { bundleAssets } from '../../../../src/pages/assets.ts'
import {
  createLive,
  type LiveOptions,
  type LiveSource,
  stream,
} from '../../../../src/pages/live/index.ts'
import { createPageRunner } from '../../../../src/pages/run-page.tsx'
import { createTestMetrics } from '../../../support/metrics.ts'
import { createTestApi, type TestApi } from '../../http/support/api.ts'

/** A real server with streams at `/<key>/live`. `source` gives the parts of the page. */
export const createLiveWorld = async (
  source: LiveSource,
  limits: Partial<Omit<LiveOptions, 'ctx'>> = {},
) => {
  const metrics = createTestMetrics()
  const api = await createTestApi({ metrics })
  const live = createLive({ ctx: api.as({ kind: 'anonymous' }), ...limits })
  const runner = createPageRunner({ ...api.deps, live }, await bundleAssets())
  const page = stream(live, '/:key/live', 'live', async ({ params: { key } }) => ({ key, source }))
  const routes = { routes: [runner.routeOf(page)], refuse: runner.refuse }
  const app = createApp({ ...api.deps, rateLimits: behindProxy(api) }, routes)
  const http = createHttpServer({ app, log: api.ctx.log })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    live.stop()
    http.close()
    http.closeAllConnections()
  })
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  return { ...api, live, url, metrics }
}

/** Rate limits that are off, with the client's address from `X-Forwarded-For`. */
const behindProxy = ({ ctx: { sql, clock, log } }: TestApi) => {
  const hash = (id: string) => createHash('sha256').update(id).digest('hex')
  return {
    limiter: createRateLimiter({ sql, clock, log, hash }),
    attempts: createAttempts({ sql, clock, hash }),
    policies: createPolicies({ anonymous: 0, user: 0, login: 0 }),
    trustedProxies: 1,
  }
}

/** A source of live parts that counts its calls. Its version is the version of a real campaign. */
export const createCountedSource = (partsOf: (lang: string) => Record<string, string>) => {
  const counts = { versions: 0, parts: new Map<string, number>() }
  let campaignId = ''
  const source: LiveSource = {
    version(ctx) {
      counts.versions++
      return campaignVersion(ctx, campaignId)
    },
    async parts(_, lang) {
      counts.parts.set(lang, (counts.parts.get(lang) ?? 0) + 1)
      return partsOf(lang)
    },
  }
  return {
    source,
    counts,
    watch: (id: string) => {
      campaignId = id
    },
  }
}
