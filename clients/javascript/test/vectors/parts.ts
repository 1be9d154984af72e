import { ConfigurationError } from '../../src/errors.ts'
import { AMOUNT } from '../../src/operation.ts'
import { type FundproofOptions, readOptions } from '../../src/options.ts'
import { retryAfterMs } from '../../src/retry.ts'
import { decode, encode } from '../../src/shapes.ts'
import { SseParser } from '../../src/sse.ts'
import { encodeSegment, queryText } from '../../src/url.ts'
import { equal, knowsOnly, outcomeOf } from './expect.ts'

type Input = string | { integer?: string; float?: string; decimal?: string; boolean?: boolean }
type MoneyCase =
  | { in: Input; expect: { wire?: string; error?: true } }
  | { wire: string; expect: string }

/** The values of a case in JavaScript, which has no decimal type. */
const valuesOf = (input: Input): unknown[] => {
  if (typeof input === 'string') return [input]
  knowsOnly(input, ['integer', 'float', 'decimal', 'boolean'])
  const { integer, float, boolean } = input
  if (float !== undefined) return [Number(float)]
  if (boolean !== undefined) return [boolean]
  if (integer === undefined) return []
  const isExact = Number.isSafeInteger(Number(integer))
  return [BigInt(integer), ...(isExact ? [Number(integer)] : [])]
}

export const runMoney = async (one: MoneyCase): Promise<void> => {
  if ('wire' in one) {
    equal(decode(one.wire, AMOUNT), one.expect)
    return
  }
  knowsOnly(one.expect, ['wire', 'error'])
  for (const value of valuesOf(one.in)) {
    const found = await outcomeOf(() => encode(value, AMOUNT))
    equal(found instanceof TypeError ? { error: true } : { wire: found }, one.expect)
  }
}

type SseCase = {
  text: string
  expect: {
    events: { id: string | null; data: string }[]
    lastEventId: string | null
    retryMs?: number
  }
}

export const runSse = async ({ text, expect }: SseCase): Promise<void> => {
  knowsOnly(expect, ['events', 'lastEventId', 'retryMs'])
  const bytes = new TextEncoder().encode(text)
  const halves = Array.from(bytes, (_, at) => [bytes.subarray(0, at), bytes.subarray(at)])
  const single = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1))
  for (const pieces of [[bytes], single, ...halves]) {
    const parser = new SseParser()
    const events = pieces.flatMap((piece) => parser.push(piece))
    equal(
      events.map(({ id, data }) => ({ id: id || null, data })),
      expect.events,
    )
    equal(parser.lastEventId || null, expect.lastEventId)
    equal(parser.retryMs, expect.retryMs)
  }
}

type PathCase = { segments: string[]; expect: string | { error: true } }

export const runPath = async ({ segments, expect }: PathCase): Promise<void> => {
  const found = await outcomeOf(() => segments.map((one) => `/${encodeSegment(one)}`).join(''))
  equal(found instanceof TypeError ? { error: true } : found, expect)
}

type QueryCase = { query: Record<string, unknown>; expect: string }

export const runQuery = async ({ query, expect }: QueryCase): Promise<void> => {
  equal(queryText(query), expect === '' ? '' : `?${expect}`)
}

type RetryAfterCase = { header: string | null; now: number; expect: number | null }

export const runRetryAfter = async ({ header, now, expect }: RetryAfterCase): Promise<void> => {
  const ms = retryAfterMs(header ?? undefined, now * 1_000)
  equal(ms, expect === null ? null : expect * 1_000)
}

type ConfigurationCase = {
  options: FundproofOptions
  env: Record<string, string>
  expect: { ok?: { environment: string; baseUrl: string }; error?: true; mentions?: string[] }
}

export const runConfiguration = async ({
  options,
  env,
  expect,
}: ConfigurationCase): Promise<void> => {
  knowsOnly(expect, ['ok', 'error', 'mentions'])
  knowsOnly(options, ['apiKey', 'environment', 'baseUrl', 'timeout', 'maxRetries'])
  const { timeout, ...rest } = options
  const inMs = timeout === undefined ? rest : { ...rest, timeout: timeout * 1_000 }
  const found = await outcomeOf(() => readOptions(inMs, (name) => env[name] || undefined))
  if (expect.ok) {
    const { environment, baseUrl } = found as { environment?: string; baseUrl?: string }
    equal({ environment, baseUrl }, expect.ok)
    return
  }
  if (!(found instanceof ConfigurationError)) throw new Error(`no ConfigurationError: ${found}`)
  const missing = expect.mentions?.filter((word) => !found.message.includes(word)) ?? []
  equal(missing, [])
  const key = options.apiKey ?? env.FUNDPROOF_API_KEY
  equal(key !== undefined && found.message.includes(key.trim()), false)
}
