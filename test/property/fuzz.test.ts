import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkerOf, type OpenApiDocument } from '../support/document.ts'
import { isFull } from '../support/full.ts'
import { type FuzzRequest, requestsTo } from './fuzz/requests.ts'
import { type Cast, countRows, createCast, createFuzzApi } from './fuzz/world.ts'

/**
 * `npm run fuzz` sets these variables. Without them, the tests use few requests and always the same
 * seed.
 */
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? (isFull ? 2_000 : 300))
const SEED = Number(process.env.FUZZ_SEED ?? 20_260_131)
/**
 * The number of requests after which new users replace the old ones, which have lost sessions and
 * resources.
 */
const REQUESTS_PER_CAST = 100
const ENDING = new Set(['logout', 'endSession', 'deleteAccount'])

test(`answers ${REQUESTS} bad requests with the envelope, never with a 500, and writes nothing`, async () => {
  const api = await createFuzzApi()
  const document = (await api.ask('GET', '/openapi.json')).body as unknown as OpenApiDocument
  const statuses = new Map<number, number>()
  const accepted = new Set<string>()
  let cast: Cast = await createCast(api)
  let sent = 0
  const amounts = {
    string: { answers: 0, check: checkerWith(document, { type: 'string' }) },
    number: { answers: 0, check: checkerWith(document, { type: 'number' }) },
  }

  const send = async (request: FuzzRequest): Promise<void> => {
    if (++sent % REQUESTS_PER_CAST === 0) cast = await createCast(api)
    const { ids, tokens } = cast
    const fill = (text: string) => text.replaceAll(/@[a-zA-Z]+/g, (symbol) => ids[symbol] ?? symbol)
    const token = tokens[request.caller]
    const before = await countRows(api)
    // `ask` checks the envelope, the request id, the missing stack, and the answer against the
    // document.
    const answer = await api.ask(request.method, fill(request.path), {
      headers: request.headers,
      ...(token === undefined ? {} : { token }),
      ...(request.body === undefined
        ? {}
        : { raw: typeof request.body === 'string' ? fill(request.body) : request.body }),
    })
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
    if (answer.status < 400) accepted.add(request.operationId)
    if (answer.status < 400 && ENDING.has(request.operationId)) cast = await createCast(api)
    // The test has no node, so the service refuses a campaign with an escrow with 503
    // `unavailable`.
    if (answer.body.code !== 'unavailable') expect(answer.status, answer.text).toBeLessThan(500)
    expect(answer.status).not.toBe(429)
    if (answer.status >= 400) expect(await countRows(api)).toBe(before)
    if (answer.status < 400 && answer.headers.get('content-type') === 'application/json') {
      const preferred = answer.headers.has('preference-applied') ? 'string' : 'number'
      amounts[preferred].answers++
      amounts[preferred].check({
        method: request.method,
        path: fill(request.path),
        sent: parsed(request.body, fill),
        status: answer.status,
        headers: answer.headers,
        received: answer.body,
      })
    }
    expect(({} as Record<string, unknown>).isAdmin).toBeUndefined()
  }

  await fc.assert(fc.asyncProperty(requestsTo(document), send), {
    numRuns: REQUESTS,
    seed: SEED,
    endOnFailure: false,
    interruptAfterTimeLimit: 3_600_000,
  })
  if (REQUESTS < 10_000) return
  const all = api.operations.map(({ operationId }) => operationId)
  console.log('answers by status', Object.fromEntries(statuses))
  const { string, number } = amounts
  console.log(`${number.answers} answers with amounts as numbers, ${string.answers} as texts`)
  console.log('never accepted', all.filter((id) => !accepted.has(id)).join(', '))
}, 3_600_000)

/** Makes a checker of a document whose amounts have only this schema. */
const checkerWith = (document: OpenApiDocument, Amount: Record<string, unknown>) => {
  const { components } = document
  const schemas = { ...components.schemas, Amount }
  return checkerOf(JSON.stringify({ ...document, components: { ...components, schemas } }))
}

/** Parses the body of an accepted request. Returns undefined for a file. */
const parsed = (body: FuzzRequest['body'], fill: (text: string) => string): unknown => {
  if (body === undefined) return undefined
  try {
    return JSON.parse(typeof body === 'string' ? fill(body) : new TextDecoder().decode(body))
  } catch {
    return undefined
  }
}
