import { createHmac } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import {
  FAULTS,
  type FaultServer,
  filledText,
  type Script,
  type Seen,
  startFaultServer,
} from './support/fault-server.ts'
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

type Result = { result: string; value?: unknown; raw?: string; message?: string }
/** The output of a program for a case: how each call ended, and which tokens it stored. */
type Outcome = { name: string; calls: Result[]; stored: string[][] }

type Expected = {
  result?: string
  results?: string[]
  value?: unknown
  status?: number
  code?: string | null
  mentions?: string[]
  requests?: number
  refreshes?: number
  key?: string
  stored?: string[][]
  lastsMs?: number
  lastEventIds?: (string | null)[]
}

type Case = Script & {
  call: string
  expect: Expected
  times?: number
  atOnce?: number
  cancelAfter?: number
  options?: Record<string, unknown>
  only?: string[]
  except?: Record<string, string>
}

type Webhook = {
  name: string
  event?: unknown
  body?: string
  headers?: [string, string][]
  secrets?: string[]
  age?: number
  wrong?: number
  expect: Expected
}

type Table = { webhooks: Webhook[] } & Record<'network' | 'tokens' | 'cancel' | 'options', Case[]>

const table = FAULTS as unknown as Table

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const NOW = 1_790_000_000
const SIGNED = [
  ['webhook-id', '$ID'],
  ['webhook-timestamp', '$TIME'],
  ['webhook-signature', '$SIGNATURE'],
] as const
/** The default event of a case that has no `event` and no `body`. */
const EVENT = {
  id: 'e1',
  event: 'donation.completed',
  created: '2026-09-21T14:13:20.000Z',
  data: { donationId: 'd1', amount: { value: '25.1', currency: 'USDC' } },
}

/** A webhook with a signature by node:crypto, which is independent of the clients. */
const signed = (hook: Webhook) => {
  const { event = EVENT, body: text = JSON.stringify(event), age = 0, wrong = 0, ...rest } = hook
  const body = Buffer.from(filledText(text), 'latin1')
  const time = String(NOW - age)
  const key = Buffer.from(SECRET.slice('whsec_'.length), 'base64')
  const mac = createHmac('sha256', key).update(`msg_1.${time}.`).update(body).digest('base64')
  const signature = `${`v1,${'A'.repeat(43)}= `.repeat(wrong)}v1,${mac}`
  const headers = (hook.headers ?? SIGNED).map(([name, value]) => [
    name,
    value.replace('$ID', 'msg_1').replace('$TIME', time).replace('$SIGNATURE', signature),
  ])
  const name = `webhook: ${hook.name}`
  const more = { name, call: 'verify', body: body.toString('base64'), headers, now: NOW }
  return { secrets: [SECRET], ...rest, ...more, sent: body.toString('latin1') }
}

const CASES: Case[] = [
  ...table.network,
  ...table.tokens,
  ...table.cancel,
  ...table.options,
  ...table.webhooks.map((hook) => signed(hook) as unknown as Case),
]

/** The expected values of successful calls, unless a case names other values. */
const VALUES: Record<string, unknown> = {
  post: 'Zoë ☂ 𝄞',
  read: '0198c0de-0000-7000-8000-000000000001',
  delete: null,
  wait: 'completed',
}

const isRefresh = ({ path }: Seen): boolean => path === '/api/auth/refresh'
const keysOf = (requests: Seen[]) =>
  new Set(
    requests.flatMap(({ method, headers }) =>
      method === 'POST' ? [headers['idempotency-key']] : [],
    ),
  )

/** Describes the error in a case's outcome or in its client's requests. Null if both are right. */
const problemOf = (
  one: Case,
  outcome: Outcome | undefined,
  server: FaultServer,
  repeats: boolean,
): string | null => {
  const { name, call, expect: wanted, times = 1, atOnce = 1 } = one
  if (!outcome) return 'does not end'
  // A refresh may continue after its caller has left, because the new tokens would be lost
  // otherwise.
  if (server.wasLate(name) && one.cancelAfter === undefined)
    return 'still waits at the deadline of the server'
  const seen = server.of(name)
  const problems: string[] = []
  const check = (what: string, found: unknown, right: unknown): void => {
    if (right === undefined || JSON.stringify(found) === JSON.stringify(right)) return
    problems.push(`${what} is ${JSON.stringify(found)}, not ${JSON.stringify(right)}`)
  }
  check('the number of calls', outcome.calls.length, times * atOnce)
  outcome.calls.forEach((found, index) => {
    const result = wanted.results?.[index] ?? wanted.result ?? ''
    const isRefused = result === 'refused' && found.result !== 'ok'
    if (!isRefused && !result.split('|').includes(found.result)) {
      problems.push(`${found.result} (${String(found.message).slice(0, 150)}), not ${result}`)
    } else if (found.result === 'ok' && call === 'verify') {
      const { sent } = one as unknown as { sent: string }
      check('the event', JSON.parse(found.raw ?? 'null'), JSON.parse(sent))
    } else if (found.result === 'ok') check('the value', found.value, wanted.value ?? VALUES[call])
    else {
      const { status, code } = found as { status?: number; code?: string }
      check('the status', status, wanted.status)
      check('the code', code ?? null, wanted.code)
      const absent = wanted.mentions?.filter((text) => !found.message?.includes(text)) ?? []
      check('what the message lacks', absent, [])
    }
  })
  const isFree = repeats && /"(close|reset|end)"/.test(JSON.stringify(one.answers))
  if (!isFree) check('the number of requests', seen.length, wanted.requests)
  check('the number of refreshes', seen.filter(isRefresh).length, wanted.refreshes)
  check('the stored tokens', outcome.stored, wanted.stored)
  const keys = keysOf(seen.filter((request) => !isRefresh(request)))
  if (keys.size > 0) check('the number of keys', keys.size, times * atOnce)
  if (seen.some(isRefresh)) check('the keys of refreshes', keysOf(seen.filter(isRefresh)).size, 1)
  if (wanted.key) check('the keys', [...keys], [wanted.key])
  const ids = seen.map(({ headers }) => headers['last-event-id'] ?? null)
  check('the positions', ids, wanted.lastEventIds)
  const lastsMs = Number(seen.at(-1)?.atMs) - Number(seen[0]?.atMs)
  if (wanted.lastsMs && lastsMs < wanted.lastsMs) problems.push(`ends after ${lastsMs} ms`)
  for (const { method, path, headers } of seen) {
    if (!path.endsWith('/stream') && !headers.prefer?.includes('amounts=text'))
      problems.push('prefer')
    const isKey = /^[\x20-\x7e]{1,255}$/.test(headers['idempotency-key'] ?? '')
    if (method === 'POST' && !isKey) problems.push('a POST without a key')
    const agent = /^fundproof-(js|javascript|python|php)\/\d/
    if (!agent.test(headers['user-agent'] ?? '')) problems.push('no name of the client')
  }
  return problems.length === 0 ? null : problems.join('; ')
}

/**
 * `shards`: the number of processes that share the cases, for a language without concurrent calls.
 * `repeats`: whether the program's `fetch` repeats a request if a kept connection was closed.
 */
type Program = {
  name: string
  interpreter: Interpreter
  file: string
  args?: string[]
  shards?: number
  repeats?: boolean
}

const script = 'javascript/test/scripted.ts'
const denoArgs = ['run', '--allow-all']
const PROGRAMS: Program[] = [
  { name: 'JavaScript in Node.js', interpreter: node, file: script },
  { name: 'JavaScript in Deno', interpreter: deno, file: script, args: denoArgs, repeats: true },
  { name: 'JavaScript in Bun', interpreter: bun, file: script, repeats: true },
  { name: 'Python', interpreter: python, file: 'python/test/scripted.py' },
  { name: 'Python with asyncio', interpreter: python, file: 'python/test/scripted_async.py' },
  { name: 'PHP', interpreter: php, file: 'php/test/scripted.php', shards: 8 },
]

/** Whether the language of the program can run the case. */
const isFor = ({ name, file }: Program, { only, cancelAfter }: Case): boolean =>
  (only?.includes(file.split('/')[0] ?? '') ?? true) &&
  // Only a timeout can end a sync call of Python.
  !(name === 'Python' && cancelAfter !== undefined)

describe.concurrent('a client and a server that misbehaves', () => {
  for (const program of PROGRAMS) {
    const { name, interpreter, file, args = [], shards = 1, repeats = false } = program
    testWith(interpreter)(
      `${name} does in each case what the table says`,
      async ({ folder, onTestFinished }) => {
        const cases = CASES.filter((one) => isFor(program, one))
        const server = await startFaultServer(cases)
        onTestFinished(() => server.close())
        const withUrls = cases.map((one) => ({ baseUrl: server.url(one.name), ...one }))
        const path = join(CLIENTS, file)
        const ended = await Promise.all(
          Array.from({ length: shards }, (_, shard) => {
            const input = join(folder, `cases-${shard}.json`)
            const part = withUrls.filter((_, index) => index % shards === shard)
            writeFileSync(input, JSON.stringify(part))
            return run(interpreter.command, [...args, path, input], {
              cwd: join(path, '../..'),
              env: { FUNDPROOF_ENVIRONMENT: 'sandbox', PYTHONPATH: 'src' },
            })
          }),
        )
        const output = ended.map((one) => one.output).join('')
        const outcomes = new Map(
          output
            .split('\n')
            .filter((line) => line.startsWith('{"name"'))
            .map((line) => JSON.parse(line) as Outcome)
            .map((outcome) => [outcome.name, outcome]),
        )
        const problems = cases.flatMap((one) => {
          if (one.except?.[name]) return []
          const problem = problemOf(one, outcomes.get(one.name), server, repeats)
          return problem === null ? [] : [`${one.name}: ${problem}`]
        })
        if (process.env.FAULTS_REPORT) {
          writeFileSync(
            `${process.env.FAULTS_REPORT}/${name}.json`,
            JSON.stringify({ problems, output }),
          )
        }
        expect(problems, output.replaceAll(/^\{"name".*\n/gm, '')).toEqual([])
      },
    )
  }
})
