import type { ErrorCode } from '../../kernel/errors.ts'
import { STATUS_OF } from '../errors.ts'
import type { JsonSchema } from '../json-schema.ts'
import type { Operation } from '../operation.ts'
import { EXAMPLE_ID } from './example.ts'
import { refusalHeaders } from './headers.ts'
import { MEANINGS } from './meanings.ts'

/** Every code that an operation can refuse with: its own, and those that come by themselves. */
export const codesOf = (operation: Operation): Set<ErrorCode> =>
  new Set<ErrorCode>([
    ...(operation.errors ?? []),
    ...(operation.params ? (['not_found'] as const) : []),
    ...(operation.query ? (['invalid_input'] as const) : []),
    ...(operation.probe ? [] : (['unknown_parameter'] as const)),
    ...(operation.body ? OF_BODIES : []),
    ...(operation.auth === 'none' ? [] : OF_CALLERS),
    ...(operation.auth === 'verified' ? (['email_unverified'] as const) : []),
    ...(operation.method === 'post' ? OF_IDEMPOTENCY : []),
    'blocked_for_legal_reasons',
    'rate_limited',
    'internal',
    'unavailable',
  ])

const OF_BODIES = [
  'invalid_json',
  'invalid_input',
  'payload_too_large',
  'unsupported_media_type',
] as const
const OF_CALLERS = ['unauthenticated', 'invalid_token', 'invalid_api_key', 'forbidden'] as const
const OF_IDEMPOTENCY = [
  'idempotency_key_invalid',
  'idempotency_key_reused',
  'idempotency_in_progress',
] as const

/** The refusals of an operation, by status, each code with an example. */
export const refusalsOf = (operation: Operation): Record<string, JsonSchema> => {
  const byStatus = Map.groupBy(codesOf(operation), (code) => STATUS_OF[code])
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      String(status),
      {
        description: codes.map((code) => `\`${code}\`: ${MEANINGS[code]}`).join('\n\n'),
        headers: refusalHeaders(status),
        content: {
          'application/json': {
            schema: {
              allOf: [
                { $ref: '#/components/schemas/ApiError' },
                { type: 'object', properties: { code: { type: 'string', enum: codes } } },
              ],
            },
            examples: Object.fromEntries(
              codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
            ),
          },
        },
      },
    ]),
  )
}

/** Refusals that most operations have in the same words. */
const SHARED: Readonly<Record<string, string>> = {
  '401': 'Unauthenticated',
  '413': 'PayloadTooLarge',
  '415': 'UnsupportedMediaType',
  '429': 'RateLimited',
  '451': 'BlockedForLegalReasons',
  '500': 'Internal',
  '503': 'Unavailable',
}

/**
 * Puts a reference in the place of each refusal that most operations with its status share.
 *
 * @returns what is referred to, by its name
 */
export const shareRefusals = (described: readonly JsonSchema[]): Record<string, JsonSchema> => {
  const all = described.map(({ responses }) => responses as Record<string, JsonSchema>)
  const shared: Record<string, JsonSchema> = {}
  for (const [status, name] of Object.entries(SHARED)) {
    const texts = all.flatMap((one) => (one[status] ? [JSON.stringify(one[status])] : []))
    const [usual] = [...Map.groupBy(texts, (text) => text).values()].sort(
      (one, other) => other.length - one.length,
    )
    if (!usual?.[0]) continue
    shared[name] = JSON.parse(usual[0]) as JsonSchema
    for (const one of all) {
      if (JSON.stringify(one[status]) !== usual[0]) continue
      one[status] = { $ref: `#/components/responses/${name}` }
    }
  }
  return shared
}

/** An example of the answer with each of these codes. */
export const refusalExamples = (codes: Iterable<ErrorCode>): Record<string, JsonSchema> =>
  Object.fromEntries(
    [...codes].map((code) => [code, { summary: MEANINGS[code], value: envelope(code) }]),
  )

const envelope = (code: ErrorCode) => ({
  success: false,
  error: MEANINGS[code],
  code,
  requestId: EXAMPLE_ID,
  ...(code === 'invalid_input' ? { details: [{ path: 'title', message: 'is missing' }] } : {}),
})
