import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import {
  bun,
  CLIENTS,
  deno,
  type Interpreter,
  node,
  php,
  python,
  run,
  testWith,
} from './support/programs.ts'
import { type ScriptedServer, startScriptedServer } from './support/scripted-server.ts'

const STEPS = `drop-before drop-within drop-after stall-head stall-body drip truncated
  chunks retry-date redirect pages stream stream-refused refresh`.split(/\s+/)

const keysOf = (server: ScriptedServer, scenario: string) =>
  server.of(scenario).map(({ headers }) => headers['idempotency-key'])

/** What must be true of the requests, after a program has got what it expects. */
const checkRequests = (server: ScriptedServer): void => {
  for (const scenario of ['drop-before', 'drop-within', 'retry-date']) {
    const keys = keysOf(server, scenario)
    expect(keys, scenario).toHaveLength(2)
    expect(keys[0], scenario).toBeTruthy()
    expect(new Set(keys).size, scenario).toBe(1)
  }
  // A client may send a request again if its old connection is closed, but with the same key.
  expect(new Set(keysOf(server, 'drop-after')).size).toBe(3)
  for (const scenario of ['stall-head', 'stall-body', 'drip', 'truncated', 'stream-refused']) {
    expect(server.of(scenario), scenario).toHaveLength(1)
  }
  const [refused, repeated] = server.of('retry-date').map(({ atMs }) => atMs)
  // The date has whole seconds, so up to one second of the two is lost.
  expect((repeated ?? 0) - (refused ?? 0)).toBeGreaterThanOrEqual(900)
  expect(server.of('redirect')).toHaveLength(1)
  expect(server.of('elsewhere')).toEqual([])

  const pages = server.of('pages')
  expect(pages.map(({ query }) => query.get('cursor'))).toEqual([
    null,
    ...Array.from({ length: 9 }, (_, index) => String(index + 2)),
  ])
  expect(new Set(pages.map(({ query }) => query.get('limit')))).toEqual(new Set(['100']))

  const streams = server.of('stream').map(({ headers }) => headers)
  expect(streams.map((headers) => headers['last-event-id'])).toEqual([undefined, 'p2', 'p4'])
  expect(streams.every(({ accept }) => accept === 'text/event-stream')).toBe(true)

  const refreshes = server.of('refresh').filter(({ path }) => path === '/api/auth/refresh')
  expect(refreshes).toHaveLength(1)
  expect(refreshes[0]?.headers['idempotency-key']).toBeTruthy()

  const all = STEPS.flatMap((scenario) => server.of(scenario))
  for (const { method, path, headers } of all) {
    if (path !== '/api/events/stream') expect(headers.prefer, path).toContain('amounts=text')
    if (method === 'POST') expect(headers['idempotency-key'], path).toMatch(/^[\x20-\x7e]{1,255}$/)
    expect(headers['user-agent'], path).toMatch(/^fundproof-(js|javascript|python|php)\/\d/)
  }
}

const PROGRAMS: [string, Interpreter, string, string[]][] = [
  ['JavaScript in Node.js', node, 'javascript/test/scripted.ts', []],
  ['JavaScript in Deno', deno, 'javascript/test/scripted.ts', ['run', '--allow-all']],
  ['JavaScript in Bun', bun, 'javascript/test/scripted.ts', []],
  ['Python', python, 'python/test/scripted.py', []],
  ['Python with asyncio', python, 'python/test/scripted_async.py', []],
  ['PHP', php, 'php/test/scripted.php', []],
]

describe.concurrent('a client and a server that misbehaves', () => {
  for (const [name, interpreter, file, options] of PROGRAMS) {
    testWith(interpreter)(
      `${name} gets what it asks for, and asks for no more`,
      async ({ onTestFinished }) => {
        const server = await startScriptedServer()
        onTestFinished(() => server.close())
        const program = join(CLIENTS, file)
        expect(existsSync(program), file).toBe(true)

        const { code, output } = await run(interpreter.command, [...options, program], {
          cwd: join(program, '../..'),
          env: {
            FUNDPROOF_BASE_URL: server.url,
            FUNDPROOF_ENVIRONMENT: 'sandbox',
            PYTHONPATH: 'src',
          },
        })

        expect(code, output).toBe(0)
        const steps = output.split('\n').filter((line) => line.startsWith('ok '))
        expect(steps).toEqual(STEPS.map((step) => `ok ${step}`))
        checkRequests(server)
      },
    )
  }
})
