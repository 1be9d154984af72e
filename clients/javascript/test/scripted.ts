import { readFileSync } from 'node:fs'
import { Fundproof, type FundproofOptions } from '../src/index.ts'
import { verify } from '../src/webhooks.ts'

/**
 * Runs the cases of a file against a faulty server, with `node`, `deno run -A` or `bun`. Prints the
 * outcome of each case as a line of JSON (see test/clients/README.md).
 */
type Case = {
  name: string
  call: string
  baseUrl: string
  times?: number
  atOnce?: number
  take?: number
  cancelAfter?: number
  tokens?: FundproofOptions['tokens']
  options?: { idempotencyKey?: string; wait?: number } & FundproofOptions
  body: string
  headers: [string, string][]
  secrets: string[]
  tolerance?: number | string
  now: number
  parsed?: boolean
}

const ID = '0198c0de-0000-7000-8000-000000000001'

const cases = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Case[]

const start = (fundproof: Fundproof, one: Case, signal: AbortSignal) => {
  const { idempotencyKey, wait = 10 } = one.options ?? {}
  switch (one.call) {
    case 'read':
      return fundproof.milestones.get(ID, { signal }).then(({ id }) => id)
    case 'post':
      return fundproof.sandbox
        .createWallet({ signal, idempotencyKey })
        .then(({ address }) => address)
    case 'delete':
      return fundproof.webhooks.delete(ID, { signal }).then(() => null)
    case 'wait':
      return fundproof.donations
        .waitFor(ID, { signal, timeout: wait * 1_000 })
        .then(({ status }) => status)
    case 'list':
      return take(fundproof.keys.list({}, { signal }), ({ name }) => name)
    case 'stream':
      return take(
        fundproof.events.stream({}, { signal }),
        ({ event, data }) => (data as { userId?: string }).userId?.slice(-1) ?? event,
        one.take,
      )
    default:
      return Promise.resolve(null)
  }
}

const take = async <T>(items: AsyncIterable<T>, read: (item: T) => string, count?: number) => {
  const found: string[] = []
  for await (const item of items) {
    found.push(read(item))
    if (found.length === count) break
  }
  return found
}

const verified = async ({ body, headers, secrets, tolerance, now, parsed }: Case) => {
  const raw = Buffer.from(body, 'base64')
  const options = {
    now: now * 1_000,
    ...(tolerance === undefined ? {} : { tolerance: Number(tolerance) }),
  }
  const given = parsed ? JSON.parse(raw.toString()) : raw
  const event = await verify(given, headers, secrets, options)
  return { result: 'ok', raw: JSON.stringify(event) }
}

const outcomeOf = async (work: () => Promise<object>): Promise<object> => {
  try {
    return await work()
  } catch (error) {
    const { name, message, status, code, reason } = error as Record<string, unknown>
    return { result: reason ?? name, message, status, code }
  }
}

const play = async (one: Case): Promise<void> => {
  const { name, call, times = 1, atOnce = 1, cancelAfter, tokens, baseUrl } = one
  const { idempotencyKey: _key, wait: _wait, timeout = 30, ...options } = one.options ?? {}
  const stored: unknown[] = []
  const calls: object[] = []
  const open = () =>
    new Fundproof({
      baseUrl,
      timeout: timeout * 1_000,
      ...options,
      ...(tokens && { tokens }),
      onTokens: ({ accessToken, refreshToken }) => {
        stored.push([accessToken, refreshToken])
      },
    })
  const controller = new AbortController()
  if (cancelAfter === 0) controller.abort()
  else if (cancelAfter) setTimeout(() => controller.abort(), cancelAfter * 1_000)
  let fundproof: Fundproof | undefined
  const once = () =>
    outcomeOf(async () => {
      if (call === 'verify') return verified(one)
      fundproof ??= open()
      return { result: 'ok', value: await start(fundproof, one, controller.signal) }
    })
  for (let count = 0; count < times; count++) {
    calls.push(...(await Promise.all(Array.from({ length: atOnce }, once))))
  }
  console.log(JSON.stringify({ name, calls, stored }))
}

/** Runs 16 cases at once, because more would keep the process too busy for timeouts of a second. */
const queue = cases.values()
const work = async (): Promise<void> => {
  for (const one of queue) await play(one)
}
await Promise.all(Array.from({ length: 16 }, work))
// Exits explicitly, because open requests that the client has given up would keep the process
// running.
process.exit()
