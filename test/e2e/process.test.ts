import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDatabase } from '../../src/db/client.ts'
import { hasPromtool } from '../support/alerts.ts'
import { anvilProgram, startAnvil } from '../support/anvil-process.ts'
import { call } from '../support/api-user.ts'
import { createTestDatabase } from '../support/database.ts'
import { type Half, startHalf } from '../support/halves.ts'
import { freePort, scrape, scrapeText } from '../support/metrics-scrape.ts'
import { ROOT } from '../support/program.ts'
import { hasAnvil } from '../support/test-chain.ts'
import { waitFor } from '../support/wait-for.ts'

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  version: string
}

type Watched = Half & { metricsPort: number }
type LogLine = { msg: string; level: string; version?: string; route?: string }

const logOf = (half: Half) => half.lines.map((line) => JSON.parse(line) as LogLine)

/** Counts the connections in `pg_stat_activity` by application name. */
const connectionsOf = async (databaseUrl: string): Promise<Record<string, number>> => {
  const sql = createDatabase({ url: databaseUrl, max: 1, name: 'observer', asAppRole: false })
  try {
    const rows = await sql<{ name: string; count: number }[]>`
      select application_name as name, count(*)::int as count from pg_stat_activity
      where datname = current_database() and application_name like 'fundproof%' group by 1`
    return Object.fromEntries(rows.map(({ name, count }) => [name, count]))
  } finally {
    await sql.end({ timeout: 1 })
  }
}

describe.skipIf(!hasAnvil)('a process of the service', () => {
  let api: Watched
  let worker: Watched
  let databaseUrl: string
  const ends: (() => Promise<void>)[] = []

  const start = async (half: 'api' | 'worker', rpcUrl: string): Promise<Watched> => {
    const metricsPort = await freePort()
    const env = { LOG_LEVEL: 'debug', METRICS_PORT: String(metricsPort) }
    const started = await startHalf(half, { databaseUrl, rpcUrl, env }, (end) => ends.push(end))
    return { ...started, metricsPort }
  }

  beforeAll(async () => {
    const chain = await startAnvil(anvilProgram() ?? '', ['--slots-in-an-epoch=1'])
    const database = await createTestDatabase()
    ends.push(chain.close, database.drop)
    databaseUrl = database.url
    ;[api, worker] = await Promise.all([start('api', chain.url), start('worker', chain.url)])
  })
  afterAll(async () => {
    for (const end of ends.toReversed()) await end()
  })

  test('logs the requests of probes at debug, and all others at info', async () => {
    for (const path of ['/healthz', '/readyz', '/api/campaigns']) {
      expect((await fetch(`http://127.0.0.1:${api.port}${path}`)).status).toBe(200)
    }
    const requests = await waitFor(
      'the log of the requests',
      () => logOf(api).filter(({ msg }) => msg === 'request'),
      (lines) => lines.length >= 3,
    )
    expect(requests.map(({ route, level }) => [route, level])).toEqual([
      ['/healthz', 'debug'],
      ['/readyz', 'debug'],
      ['/api/campaigns', 'info'],
    ])
  })

  test('says its version in its first log line, its metrics and its health', async () => {
    for (const half of [api, worker]) {
      expect(logOf(half)[0]).toMatchObject({ msg: 'starting', version })
      const names = [...(await scrape(half.metricsPort)).keys()].join('\n')
      expect(names).toMatch(`fundproof_build_info{version="${version}",settings="`)
    }
    expect((await call(api.port, 'GET', '/healthz')).body).toEqual({ status: 'ok', version })
  })

  test('closes all but a few of its connections to the database when it is idle', async () => {
    await waitFor(
      'few connections',
      () => connectionsOf(databaseUrl),
      (open) =>
        (open['fundproof api'] ?? 0) <= 2 &&
        (open['fundproof limits'] ?? 0) <= 1 &&
        (open['fundproof statistics'] ?? 0) <= 2 &&
        (open['fundproof worker'] ?? 0) <= 4 &&
        (open['fundproof-queue-api'] ?? 0) <= 1 &&
        (open['fundproof-queue-worker'] ?? 0) <= 3,
    )
  })

  test.skipIf(!hasPromtool)('has metrics that promtool accepts', async () => {
    await call(api.port, 'GET', '/api/campaigns')
    for (const { metricsPort } of [api, worker]) {
      const input = await scrapeText(metricsPort)
      const checked = spawnSync('promtool', ['check', 'metrics'], { input, encoding: 'utf8' })
      expect(checked.stdout + checked.stderr).toBe('')
      expect(checked.status).toBe(0)
    }
  })

  test.skipIf(!hasPromtool)('has alert rules that promtool accepts', () => {
    const rules = join(ROOT, 'docs/operations/alerts.yml')
    const checked = spawnSync('promtool', ['check', 'rules', rules], { encoding: 'utf8' })
    expect(checked.stdout + checked.stderr).toContain('SUCCESS')
    expect(checked.status).toBe(0)
  })
})
