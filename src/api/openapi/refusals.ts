import { z } from 'zod'
import { requirementOf, STATUS_OF } from '../../edge/errors.ts'
import type { Operation } from '../../edge/operation.ts'
import type { ErrorCode } from '../../kernel/errors.ts'
import { refusalHeaders } from './headers.ts'
import type { JsonSchema } from './json-schema.ts'
import { MEANINGS } from './meanings.ts'
import { capital } from './naming.ts'
import { EXAMPLE_ID } from './samples.ts'

/** All error codes of an operation: its own codes, and codes that follow from its other fields. */
export const codesOf = (operation: Operation): Set<ErrorCode> =>
  new Set<ErrorCode>([
    ...(operation.errors ?? []),
    ...(takesCursor(operation) ? (['invalid_cursor'] as const) : []),
    ...(operation.params ? (['not_found'] as const) : []),
    ...(operation.query ? (['invalid_input'] as const) : []),
    ...(operation.probe ? [] : (['unknown_parameter'] as const)),
    ...(operation.body || operation.upload ? OF_BODIES : []),
    ...(operation.auth === 'none' ? [] : OF_CALLERS),
    ...(operation.auth === 'verified' || operation.auth === 'guest'
      ? (['email_unverified'] as const)
      : []),
    ...(operation.method === 'post' ? OF_IDEMPOTENCY : []),
    'blocked_for_legal_reasons',
    'rate_limited',
    'internal',
    'unavailable',
  ])

const takesCursor = ({ query }: Operation): boolean =>
  query instanceof z.ZodObject && 'cursor' in query.shape

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

const COMMON: ReadonlySet<ErrorCode> = new Set([
  ...OF_BODIES,
  ...OF_CALLERS,
  ...OF_IDEMPOTENCY,
  'unknown_parameter',
  'email_unverified',
])

/** Explains the codes. COMMON codes are only listed, unless the answer has no other codes. */
const describeCodes = (codes: readonly ErrorCode[]): string => {
  const { own = [], common = [] } = Object.groupBy(codes, (code) =>
    COMMON.has(code) ? 'common' : 'own',
  )
  const meanings = (own.length > 0 ? own : common).map((code) => `\`${code}\`: ${MEANINGS[code]}`)
  const names = common.map((code) => `\`${code}\``).join(', ')
  return [...meanings, ...(own.length > 0 && names ? [`Also ${names}.`] : [])].join('\n\n')
}

/** The error answers of an operation by status, with an example of each code. */
export const refusalsOf = (operation: Operation): Record<string, JsonSchema> => {
  const byStatus = Map.groupBy(codesOf(operation), (code) => STATUS_OF[code])
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      String(status),
      {
        description: describeCodes(codes),
        headers: refusalHeaders(status),
        content: {
          'application/json': {
            schema: {
              allOf: [
                { $ref: '#/components/schemas/ApiError' },
                { type: 'object', properties: { code: anyOf(codes) } },
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

/** Allows these codes and any other text, because later versions may add codes. */
const anyOf = (codes: readonly ErrorCode[]): JsonSchema => ({
  anyOf: [{ type: 'string', enum: codes }, { type: 'string' }],
})

/** The names of error answers that several operations share, by the codes of the answer. */
const NAMES: Readonly<Record<string, string>> = {
  'unknown_parameter invalid_json invalid_input idempotency_key_invalid': 'BadPost',
  'unknown_parameter idempotency_key_invalid': 'BadPostWithoutBody',
  'unknown_parameter invalid_json invalid_input': 'BadChange',
  'invalid_cursor invalid_input unknown_parameter': 'BadList',
  'unauthenticated invalid_token invalid_api_key': 'Unauthenticated',
  'forbidden email_unverified': 'ForbiddenOrUnverified',
  'conflict idempotency_in_progress': 'ConflictOrInProgress',
}

/**
 * Moves an error answer that several operations have to the shared answers, if the answer has only
 * one code or a name in NAMES. The operations then refer to the shared answer.
 *
 * @returns the shared answers by name
 */
export const shareRefusals = (described: readonly JsonSchema[]): Record<string, JsonSchema> => {
  const all = described.flatMap(({ responses }) =>
    Object.entries(responses as Record<string, JsonSchema>).flatMap(([status, answer]) =>
      Number(status) < 400 ? [] : [{ status, answer, responses, codes: codesIn(answer) }],
    ),
  )
  const shared: Record<string, JsonSchema> = {}
  for (const [codes, uses] of Map.groupBy(all, (one) => one.codes.join(' '))) {
    const [first] = uses
    const [code = ''] = first?.codes ?? []
    const name = first?.codes.length === 1 ? capital(code) : NAMES[codes]
    if (!first || name === undefined || uses.length === 1) continue
    shared[name] = first.answer
    for (const { status, responses } of uses) {
      ;(responses as Record<string, JsonSchema>)[status] = {
        $ref: `#/components/responses/${name}`,
      }
    }
  }
  return shared
}

const codesIn = ({ content }: JsonSchema): string[] =>
  Object.keys((content as Record<string, { examples: object }>)['application/json']?.examples ?? {})

/** An example error body for each code. */
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
  ...requirementOf(code),
})
