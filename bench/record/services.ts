import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '../../src/local/server.ts'
import type { Cleanup } from '../support/cleanup.ts'
import { type NodeProcess, startNode } from '../support/node-process.ts'
import type { BenchServer } from '../support/server.ts'
import { BENCH_CHAIN, SECRET } from '../support/world.ts'

/** The pool size of each measured process: the default of DATABASE_POOL. */
export const POOL = 10

/** The folder for the logs of the processes. */
export type Folder = Pick<BenchServer, 'folder'>

export type Api = { process: NodeProcess; origin: string }

const READY_TIMEOUT_MS = 30_000
const READY_STEP_MS = 50

/** Starts the API in a process, as `npm run api` does, with the usual log level. */
export const startApi = async (
  server: Folder,
  cleanup: Cleanup,
  databaseUrl: string,
  env: Record<string, string> = {},
): Promise<Api> => {
  const port = await freePort()
  const api = startHalf(server, cleanup, 'src/commands/server.ts', {
    ...environment(databaseUrl, 'http://127.0.0.1:1'),
    PORT: String(port),
    ...env,
  })
  const origin = `http://127.0.0.1:${port}`
  await untilReady(api, origin)
  return { process: api, origin }
}

/** Starts a worker in a process. It follows a development chain, or those of `env.CHAINS`. */
export const startWorker = (
  server: Folder,
  cleanup: Cleanup,
  databaseUrl: string,
  rpcUrl: string,
  env: Record<string, string> = {},
): NodeProcess =>
  startHalf(server, cleanup, 'worker/main.ts', { ...environment(databaseUrl, rpcUrl), ...env })

const startHalf = (
  server: Folder,
  cleanup: Cleanup,
  script: string,
  env: Record<string, string>,
): NodeProcess => startNode(server, cleanup, { script, nodeArgs: nodeArgsOf(script), env })

/**
 * The Node options of the command in package.json, so that the measured process is the same as in
 * production.
 */
export const nodeArgsOf = (script: string): string[] => {
  const file = join(import.meta.dirname, '../../package.json')
  const { scripts } = JSON.parse(readFileSync(file, 'utf8')) as { scripts: Record<string, string> }
  const command = Object.values(scripts).find((each) => each.endsWith(` ${script}`))
  if (!command) throw new Error(`package.json starts no ${script}`)
  const words = command.split(' ')
  return words.slice(words.indexOf('node') + 1, -1)
}

export const environment = (databaseUrl: string, rpcUrl: string): Record<string, string> => ({
  DATABASE_URL: databaseUrl,
  DATABASE_POOL: String(POOL),
  SECRET,
  PUBLIC_URL: 'http://localhost:3000',
  LOG_LEVEL: 'info',
  // Limits are counted as in production, but never reached.
  RATE_LIMIT_USER: '1000000000',
  RATE_LIMIT_ANONYMOUS: '1000000000',
  RATE_LIMIT_LOGIN: '1000000000',
  // Clients name their network in `X-Forwarded-For`.
  TRUST_PROXY: '1',
  CHAINS: JSON.stringify([{ ...BENCH_CHAIN, name: 'bench', rpc: [rpcUrl], pollIntervalMs: 250 }]),
})

const untilReady = async (api: NodeProcess, origin: string): Promise<void> => {
  const deadline = Date.now() + READY_TIMEOUT_MS
  while (Date.now() < deadline) {
    api.assertRunning()
    const answer = await fetch(`${origin}/readyz`).catch(() => undefined)
    await answer?.arrayBuffer()
    if (answer?.ok) return
    await delay(READY_STEP_MS)
  }
  throw new Error('The API was not ready in time.')
}

/**
 * Registers and signs in by HTTP. `verify` takes the place of the mailed code. Returns the token.
 */
export const signIn = async (
  origin: string,
  name: string,
  verify: (email: string) => Promise<unknown>,
): Promise<string> => {
  const email = `${name}@example.org`
  const password = `quiet-river-${name}-42`
  await post(`${origin}/api/auth/register`, { email, username: name, password })
  await verify(email)
  const { tokens } = await post(`${origin}/api/auth/login`, { username: email, password })
  return (tokens as { accessToken: string }).accessToken
}

const post = async (url: string, body: object): Promise<Record<string, unknown>> => {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${text}`)
  return JSON.parse(text) as Record<string, unknown>
}
