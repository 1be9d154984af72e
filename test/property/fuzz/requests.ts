import fc from 'fast-check'
import type { DescribedOperation, OpenApiDocument } from '../../support/document.ts'
import { resolve } from '../../support/document.ts'
import { IMAGES } from '../../support/images.ts'
import { mutated } from './mutate.ts'
import { CURSORS, nastyText } from './nasty.ts'

/** A request to send. It still contains symbols such as `@campaign` in place of ids. */
export type FuzzRequest = {
  operationId: string
  method: string
  path: string
  caller: 'anonymous' | 'own' | 'unverified' | 'admin' | 'broken'
  headers: Record<string, string>
  body: string | Uint8Array<ArrayBuffer> | undefined
}

/** The symbol that stands for the id in a path, by a pattern of the path. */
const RESOURCES: readonly [RegExp, string][] = [
  [/sessions/, '@session'],
  [/campaigns|impactmetrics\/\{campaignId\}/, '@campaign'],
  [/v1\/donations/, '@intent'],
  [/donations/, '@donation'],
  [/milestones/, '@milestone'],
  [/webhooks/, '@webhook'],
  [/impactmetrics/, '@impact'],
  [/updates/, '@update'],
  [/keys/, '@key'],
  [/users/, '@user'],
]

/** Requests to every operation of the document. Most of them have an error. */
export const requestsTo = (document: OpenApiDocument): fc.Arbitrary<FuzzRequest> => {
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      requestTo(document, { path, method, operation }),
    ),
  )
  return fc.oneof(...all)
}

type Target = { path: string; method: string; operation: DescribedOperation }

const requestTo = (
  document: OpenApiDocument,
  { path, method, operation }: Target,
): fc.Arbitrary<FuzzRequest> =>
  fc
    .record({
      path: addresses(path, method),
      query: queries(operation, document),
      caller: fc.oneof(
        { weight: 6, arbitrary: fc.constant('own' as const) },
        {
          weight: 1,
          arbitrary: fc.constantFrom('anonymous' as const, 'unverified', 'admin', 'broken'),
        },
      ),
      amountsAsText: fc.boolean(),
      headers: headers(method),
      body: bodies(operation),
    })
    .map(({ path, query, caller, amountsAsText, headers, body }) => ({
      operationId: operation.operationId,
      method: method.toUpperCase(),
      path: path + query,
      caller,
      headers: {
        ...(amountsAsText ? { prefer: 'amounts=text' } : {}),
        ...(body === undefined ? {} : { 'content-type': typeOf(operation) }),
        ...headers,
      },
      body,
    }))

const addresses = (path: string, method: string): fc.Arbitrary<string> => {
  if (!path.includes('{')) return fc.constant(path)
  const ofPath = RESOURCES.find(([pattern]) => pattern.test(path))?.[1] ?? '@unknown'
  const changes = method === 'delete' || method === 'patch'
  const usual = changes && ofPath === '@campaign' ? '@draft' : ofPath
  const foreign = usual.replace(/^@(\w)/, (_, first: string) => `@foreign${first.toUpperCase()}`)
  const id = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(usual, usual, foreign, '@unknown', '@user') },
    { weight: 1, arbitrary: nastyText.map((text) => encoded(text.slice(0, 500))) },
    { weight: 1, arbitrary: fc.constantFrom('%', '%00', '%ff', '%ed%a0%80', '..%2f', '0', '-1') },
  )
  return id.map((text) => path.replaceAll(/\{\w+\}/g, () => text || '%20'))
}

const queries = (operation: DescribedOperation, document: OpenApiDocument) => {
  const names = operation.parameters
    .map((one) => resolve(one, document))
    .filter((one) => one.in === 'query')
    .map(({ name }) => name)
  if (names.length === 0) return fc.constant('')
  const value = fc.oneof(
    { weight: 4, arbitrary: nastyText.map((text) => encoded(text.slice(0, 3_000))) },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        '1',
        '2',
        '100',
        '101',
        '1000',
        '1001',
        '-1',
        '0',
        '1e1',
        '1.0',
        '%',
      ),
    },
    { weight: 1, arbitrary: fc.constantFrom(...CURSORS) },
  )
  const name = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...names) },
    { weight: 1, arbitrary: fc.constantFrom('__proto__', 'limit[]', 'constructor', 'x') },
  )
  return fc
    .array(fc.tuple(name, value), { maxLength: 4 })
    .map((pairs) => `?${pairs.map(([key, text]) => `${key}=${text}`).join('&')}`)
}

const CONTENT_TYPES = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-16',
  'application/jsonp',
  'application/vnd.api+json',
  'application/xml',
  '',
]

const headers = (method: string): fc.Arbitrary<Record<string, string>> => {
  const key = fc.oneof(
    fc.constantFrom('', '""', 'k', '"k"', '"open', 'a"b', '\t', 'é', 'k'.repeat(256)),
    fc.uuid(),
  )
  const given = fc.record(
    {
      'content-type': fc.constantFrom(...CONTENT_TYPES),
      'x-request-id': fc.constantFrom(
        'r1',
        '',
        'a b',
        'é',
        'x'.repeat(200),
        '{jndi:x}',
        '"',
        '<b>',
      ),
      'content-encoding': fc.constantFrom('gzip', 'br', 'identity'),
      'content-length': fc.constantFrom('0', '-1', 'NaN', '1', '999999999999', '1e3'),
      prefer: fc.constantFrom('amounts', ';;,=', '"'),
      accept: fc.constantFrom('text/html', 'application/xml', '*/*;q=0'),
      'x-api-key': fc.constantFrom(
        '',
        'x',
        'fundproof_live_x',
        `fundproof_sandbox_${'a'.repeat(36)}`,
      ),
    },
    { requiredKeys: [] },
  )
  const none = { weight: 5, arbitrary: fc.constant({}) }
  const some = fc.oneof(none, { weight: 1, arbitrary: given })
  if (method !== 'post') return some
  return fc
    .tuple(some, fc.option(key, { nil: undefined, freq: 5 }))
    .map(([others, text]) => (text === undefined ? others : { ...others, 'idempotency-key': text }))
}

const typeOf = ({ requestBody }: DescribedOperation): string =>
  Object.keys(requestBody?.content ?? {})[0] ?? 'application/json'

/** Images in which some bytes are changed, missing or added. */
const files: fc.Arbitrary<FuzzRequest['body']> = fc
  .tuple(fc.constantFrom(...Object.values(IMAGES)), fc.nat(1_000), fc.nat(4), fc.uint8Array())
  .map(([image, at, left, added]) =>
    bytes(Buffer.concat([image.subarray(0, at), added, image.subarray(at + left)])),
  )

const bodies = (operation: DescribedOperation): fc.Arbitrary<FuzzRequest['body']> => {
  if (typeOf(operation).startsWith('image/')) return files
  const content = operation.requestBody?.content?.['application/json']
  if (!content) return fc.constant(undefined)
  const { examples = {} } = content as { examples?: Record<string, { value: unknown }> }
  const values = Object.values(examples).map(({ value }) => mutated(withIds(value)))
  const text = fc.oneof(...values).map(textOf)
  return fc.oneof(
    { weight: 12, arbitrary: text },
    { weight: 1, arbitrary: fc.tuple(text, fc.double({ min: 0, max: 1, noNaN: true })).map(cut) },
    { weight: 1, arbitrary: text.map((whole) => whole.replace('{', `{"title":1,"amount":-1,`)) },
    { weight: 1, arbitrary: fc.tuple(text, fc.constantFrom(...ENCODINGS)).map(([t, as]) => as(t)) },
  )
}

const cut = ([text, share]: [string, number]) => text.slice(0, Math.floor(text.length * share))

const bytes = (buffer: Buffer): Uint8Array<ArrayBuffer> => new Uint8Array(buffer)
const ENCODINGS: readonly ((text: string) => string | Uint8Array<ArrayBuffer>)[] = [
  (text) => bytes(Buffer.from(text, 'utf16le')),
  (text) => bytes(Buffer.from(`${text}é`, 'latin1')),
  (text) => bytes(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(text)])),
  (text) => bytes(Buffer.concat([Buffer.from(text), Buffer.from([0xff, 0xc0, 0x80])])),
  (text) => text + text,
  (text) => `${text}\u0000`,
  () => '['.repeat(50_000),
  () => `${'{"a":'.repeat(3_000)}1${'}'.repeat(3_000)}`,
  (text) => `/* comment */${text}`,
  () => '',
]

/** Writes a value as the text of a body. A value that is marked as broken gets no quotes. */
const textOf = (value: unknown): string =>
  (JSON.stringify(value) ?? '').replaceAll(/"\ue000(.*?)\ue001"/g, '$1')

/** Replaces the ids in an example by symbols for existing ids. */
const withIds = (value: unknown, name = ''): unknown => {
  if (Array.isArray(value)) return value.map((item) => withIds(item, name))
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withIds(item, key)]))
  }
  return SYMBOLS[name] ?? value
}

const SYMBOLS: Readonly<Record<string, string>> = {
  campaignId: '@campaign',
  milestoneId: '@milestone',
  creator_id: '@user',
  creatorId: '@user',
  userId: '@user',
  endpointId: '@webhook',
  claimToken: '@claimToken',
  token: '@claimToken',
  ledger_account: '@account',
  ledgerAccount: '@account',
}

const encoded = (text: string): string =>
  text.startsWith('@') ? text : encodeURIComponent(text.toWellFormed())
