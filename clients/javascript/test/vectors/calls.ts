import { Donations } from '../../src/donations.ts'
import { ApiError, FundproofError, TimeoutError } from '../../src/errors.ts'
import type { Operation } from '../../src/operation.ts'
import { openList } from '../../src/page.ts'
import { type Answer, scriptedCore } from './client.ts'
import { equal, knowsOnly, outcomeOf } from './expect.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

const operationOf = (method: Method): Operation => ({ at: `${method} /api/test` })

type ErrorCase = Answer & {
  expect: {
    class: string
    code: string | null
    message?: string
    requestId?: string | null
    retryAfter?: number | null
    details?: unknown
    requires?: string | null
  }
}

export const runError = async ({ expect, ...answer }: ErrorCase): Promise<void> => {
  knowsOnly(expect, ['class', 'code', 'message', 'requestId', 'retryAfter', 'details', 'requires'])
  const { core } = scriptedCore([answer])
  const options = { maxRetries: 0 }
  const found = await outcomeOf(() =>
    core.call({ operation: operationOf('GET'), segments: [], options }),
  )
  if (!(found instanceof ApiError)) throw new Error(`no ApiError: ${found}`)
  equal(found.name, expect.class)
  equal(found.constructor.name, expect.class)
  equal(found.code, expect.code)
  equal(found.status, answer.status)
  // The message of an answer that is not from Fundproof describes the answer before it quotes the
  // text.
  const [, text = found.message] = /^The answer .*? It begins: (.*)$/s.exec(found.message) ?? []
  if (expect.message !== undefined) equal(text, expect.message)
  if (expect.requestId !== undefined) equal(found.requestId, expect.requestId)
  if (expect.details !== undefined) equal(found.details, expect.details)
  if (expect.requires !== undefined) equal(found.requires, expect.requires)
  if (expect.retryAfter === undefined) return
  equal(found.retryAfter, expect.retryAfter === null ? null : expect.retryAfter * 1_000)
}

type RetryCase = {
  method: Method
  random: number
  now: number
  maxRetries?: number
  maxRetryAfter?: number
  idempotencyKey?: string
  answers: Answer[]
  expect: { requests: number; sameKey?: boolean; waitsMs: number[]; result: string }
}

export const runRetry = async (one: RetryCase): Promise<void> => {
  const { method, random, now, maxRetries, maxRetryAfter, idempotencyKey, answers, expect } = one
  knowsOnly(expect, ['requests', 'sameKey', 'waitsMs', 'result'])
  const limits = maxRetryAfter === undefined ? {} : { maxRetryAfter: maxRetryAfter * 1_000 }
  const { core, transport, waitsMs } = scriptedCore(answers, { now, random, ...limits })
  const options = { maxRetries, idempotencyKey }
  const found = await outcomeOf(() =>
    core.call({ operation: operationOf(method), segments: [], options }),
  )
  equal(found instanceof Error ? found.name : 'ok', expect.result)
  equal(transport.requests.length, expect.requests)
  equal(waitsMs, expect.waitsMs)
  if (!expect.sameKey) return
  const keys = new Set(transport.requests.map(({ headers }) => headers['idempotency-key']))
  equal(keys.size, 1)
  const [key] = keys
  if (idempotencyKey === undefined) equal((key ?? '').length > 20, true)
  else equal(key, idempotencyKey)
}

type PageCase = {
  by: 'cursor' | 'after'
  wire: string
  query: Record<string, unknown>
  take?: number
  pages: (Answer | Record<string, unknown>)[]
  expect: { requests: string[]; items: string[] | number; error?: boolean }
}

/** A number means this many items, with the ids `i0`, `i1` and so on. */
const idsOf = (items: string[] | number): string[] =>
  typeof items === 'number' ? Array.from({ length: items }, (_, at) => `i${at}`) : items

const pairsOf = (query: string): string[] => query.split('&').sort()

export const runPage = async ({
  by,
  wire,
  query,
  take,
  pages,
  expect,
}: PageCase): Promise<void> => {
  knowsOnly(expect, ['requests', 'items', 'error'])
  const answers = pages.map((page): Answer => {
    if ('status' in page) return page
    const items = (page as Record<string, unknown>)[wire]
    const all = typeof items === 'number' ? idsOf(items).map((id) => ({ id })) : items
    return { body: { ...page, [wire]: all } }
  })
  const { core, transport } = scriptedCore(answers)
  const operation: Operation = { ...operationOf('GET'), list: wire, by }
  const items: string[] = []
  const found = await outcomeOf(async () => {
    for await (const { id } of openList<{ id: string }>(core, operation, [], query, undefined)) {
      items.push(id)
      if (items.length === take) break
    }
  })
  equal(found instanceof FundproofError, expect.error ?? false)
  equal(items, idsOf(expect.items))
  const queries = transport.requests.map(({ path }) => pairsOf(path.split('?')[1] ?? ''))
  equal(queries, expect.requests.map(pairsOf))
}

type WaitCase = {
  now: number
  random: number
  timeout: number
  polls: Record<string, unknown>[]
  expect: { requests: number; waitsMs: number[]; result: string; last?: string }
}

type WaitFile = { donation: { id: string; status: string } }

export const runWait = async (one: WaitCase, { donation }: WaitFile): Promise<void> => {
  const { now, random, timeout, polls, expect } = one
  knowsOnly(expect, ['requests', 'waitsMs', 'result', 'last'])
  const answers = polls.map((poll) => ({ body: { ...donation, ...poll } }))
  const { core, transport, waitsMs } = scriptedCore(answers, { now, random })
  const donations = new Donations(core)
  const found = await outcomeOf(() => donations.waitFor(donation.id, { timeout: timeout * 1_000 }))
  if (expect.result === 'timeout') {
    if (!(found instanceof TimeoutError)) throw new Error(`no TimeoutError: ${found}`)
    equal((found.last as { status: string }).status, expect.last)
  } else equal((found as { status?: string }).status, expect.result)
  equal(transport.requests.length, expect.requests)
  equal(waitsMs.map(Math.round), expect.waitsMs.map(Math.round))
}
