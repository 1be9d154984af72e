import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../../src/db/client.ts'
import { signUp } from '../support/api-user.ts'
import { address } from '../support/chain-facts.ts'
import { type Half, startHalf } from '../support/halves.ts'
import { freePort } from '../support/metrics-scrape.ts'
import { ROOT } from '../support/program.ts'
import { hasAnvil, startTestChain } from '../support/test-chain.ts'
import { waitFor } from '../support/wait-for.ts'
import { createContext, createTestCampaign, createUser, createWorld } from '../support/world.ts'

const NGINX = '/usr/sbin/nginx'
const hasNginx = existsSync(NGINX)
if (!hasNginx) console.log('Skipped: nginx is not installed (Debian package nginx-light).')

const REQUESTS = 600
const CLIENTS = 6
/**
 * The pause between two requests of a client. With this pause the requests last as long as the
 * restarts.
 */
const PAUSE_MS = 150

/** The nginx configuration of the runbook with other ports and without TLS. */
const configOf = (port: number, apis: readonly number[]): string => {
  const page = readFileSync(join(ROOT, 'docs/runbook/5-deploy.md'), 'utf8')
  const [, config = ''] = /```nginx\n(.*?)```/s.exec(page) ?? []
  const changes: [from: RegExp, to: string][] = [
    [/127\.0\.0\.1:3000/, `127.0.0.1:${apis[0]}`],
    [/127\.0\.0\.1:3001/, `127.0.0.1:${apis[1]}`],
    [/listen 443 ssl;/, `listen 127.0.0.1:${port};`],
    [/^ *ssl_certificate .*\n/m, ''],
    [/^ *ssl_certificate_key .*\n/m, ''],
  ]
  return changes.reduce((text, [from, to]) => {
    expect(text.match(new RegExp(from, `g${from.flags}`))).toHaveLength(1)
    return text.replace(from, to)
  }, config)
}

/** Starts nginx with all its files in a new folder. */
const startNginx = async (apis: readonly number[]): Promise<number> => {
  const folder = mkdtempSync(join(tmpdir(), 'fundproof-nginx-'))
  const port = await freePort()
  const file = join(folder, 'nginx.conf')
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  mkdirSync(join(folder, 'logs'))
  writeFileSync(
    file,
    [
      `daemon off; pid ${folder}/pid; error_log ${folder}/logs/error.log;`,
      `events {} http { access_log off;`,
      ...temporary.map((name) => `${name}_temp_path ${folder}/${name};`),
      configOf(port, apis),
      '}',
    ].join('\n'),
  )
  const args = ['-p', folder, '-c', file]
  const checked = spawnSync(NGINX, ['-t', ...args], { encoding: 'utf8' })
  expect(checked.stderr).toContain('test is successful')
  const nginx = spawn(NGINX, args, { stdio: 'ignore' })
  onTestFinished(async () => {
    const exited = once(nginx, 'exit')
    nginx.kill('SIGTERM')
    await exited
    rmSync(folder, { recursive: true })
  })
  await waitFor(
    'nginx to start',
    () => fetch(`http://127.0.0.1:${port}/readyz`).then(({ status }) => status, String),
    (status) => status === 200,
  )
  return port
}

const count = (values: readonly unknown[]) => Object.groupBy(values.map(String), (value) => value)

test.skipIf(!hasAnvil || !hasNginx)(
  'a rolling restart of all processes behind nginx fails no request and doubles no write',
  async () => {
    const [chain, { url }] = await Promise.all([startTestChain(), createWorld()])
    const pool = createDatabase({ url, max: 2 })
    onTestFinished(() => pool.end({ timeout: 1 }))
    const { ctx } = await createContext(pool)
    const creator = await createUser(ctx)
    const campaignId = await createTestCampaign(ctx, {
      creator,
      account: address('campaign'),
      target: '30',
    })
    const start = (half: 'api' | 'worker', port = 0) => {
      // Both APIs must have the same issuer of tokens.
      const env = { PORT: String(port), PUBLIC_URL: 'http://localhost' }
      return startHalf(half, { databaseUrl: url, rpcUrl: chain.url, env })
    }
    const ports = [await freePort(), await freePort()]
    // Starts two processes at a time, because four would take too long on a busy machine.
    const startPair = (apiPort?: number) => Promise.all([start('worker'), start('api', apiPort)])
    const halves = [await startPair(ports[0]), await startPair(ports[1])]
    const port = await startNginx(ports)
    const donor = await signUp(port, 'donor')

    const answers: number[] = []
    let sent = 0
    let restarted = false
    const post = (path: string, body: object, headers = {}) => ({
      path,
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ campaignId, amount: { value: 1, currency: 'USDC' }, ...body }),
    })
    /**
     * Requests for a donation with a hash, a guest's intent, or a page. No write has an
     * Idempotency-Key.
     */
    const requestOf = (index: number) => {
      const digits = index.toString(16)
      const wallet = `0x${digits.padStart(40, 'a')}`
      const transaction = { txHash: `0x${digits.padStart(64, 'b')}`, ledgerAddress: wallet }
      if (index % 3 === 0)
        return post('/api/donations', { transaction }, { authorization: `Bearer ${donor.token}` })
      if (index % 3 === 1) return post('/v1/donations', { donor: { walletAddress: wallet } })
      return { path: `/api/campaigns/${campaignId}`, method: 'GET' }
    }
    const client = async () => {
      while (sent < REQUESTS || !restarted) {
        const { path, ...request } = requestOf(sent++)
        const pause = new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
        const answer = await fetch(`http://127.0.0.1:${port}${path}`, request)
        await answer.arrayBuffer()
        answers.push(answer.status)
        await pause
      }
    }
    const stop = async (half: Half) => {
      half.kill('SIGTERM')
      expect(await half.exited).toBe(0)
    }
    const restartAll = async () => {
      for (const [worker, api] of halves) {
        await Promise.all([stop(worker), stop(api)])
        await startPair(api.port)
      }
      restarted = true
    }
    await Promise.all([restartAll(), ...Array.from({ length: CLIENTS }, client)])

    const writes = Array.from({ length: sent }, (_, index) => index % 3).filter((kind) => kind < 2)
    expect(sent).toBeGreaterThanOrEqual(REQUESTS)
    expect(Object.entries(count(answers)).map(([status, all]) => [status, all?.length])).toEqual([
      ['200', sent - writes.length],
      ['201', writes.length],
    ])
    const rows = await pool<{ rows: number; keys: number }[]>`
      select count(*)::int as rows,
        count(distinct coalesce(tx_hash, donor_wallet))::int as keys
      from donation`
    expect(rows).toEqual([{ rows: writes.length, keys: writes.length }])
  },
  120_000,
)
