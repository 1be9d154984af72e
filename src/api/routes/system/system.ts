import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { listLastHeads, listLostHeads, listSealKeys } from '../../../domain/books/index.ts'
import { keepText } from '../../../edge/answer/kept-text.ts'
import type { AppDeps, Readiness } from '../../../edge/deps.ts'
import { route } from '../../../edge/route.ts'
import { DomainError } from '../../../kernel/errors.ts'

/** A readiness check that takes longer than this time counts as failed. */
const READY_TIMEOUT_MS = 5_000
const PUBLIC_FOR_5_MIN = { 'Cache-Control': 'public, max-age=300' }

const Status = z.object({ status: z.literal('ok'), version: z.string() })
const Ready = z.object({
  status: z.literal('ready'),
  checks: z.record(z.string(), z.object({ ok: z.boolean(), note: z.string().optional() })),
})

/** Operations for programs: health checks, public keys, and the OpenAPI document. */
export const systemOperations = (deps: AppDeps, document: () => string) => [
  route.get('/healthz', {
    operationId: 'getHealth',
    summary: 'Check that the process answers.',
    auth: 'none',
    probe: true,
    answers: { 200: { description: 'The process answers.', schema: Status } },
    handler: async () => ({ body: { status: 'ok', version: deps.version } }),
  }),
  route.get('/readyz', {
    operationId: 'getReadiness',
    summary: 'Check that the process can serve requests.',
    auth: 'none',
    probe: true,
    answers: { 200: { description: 'The process can serve requests.', schema: Ready } },
    handler: async () => {
      const checks = await withTimeout(deps.ready())
      const missing = Object.entries(checks).filter(([, check]) => !check.ok)
      if (missing.length === 0) return { body: { status: 'ready', checks } }
      throw new DomainError(
        'unavailable',
        'The service is not ready.',
        missing.map(([path, { note }]) => ({ path, message: note ?? 'is not ready' })),
      )
    },
  }),
  route.get('/.well-known/jwks.json', {
    operationId: 'getSigningKeys',
    summary:
      'The public keys that check access tokens, and all keys that have signed heads of the ledger (RFC 7517).',
    auth: 'none',
    answers: {
      200: {
        description: 'The keys.',
        schema: z.object({ keys: z.array(z.record(z.string(), z.unknown())) }),
      },
    },
    handler: async ({ ctx }) => {
      const [{ keys }, ofSeals, ended, restores] = await Promise.all([
        deps.tokens.jwks(),
        listSealKeys(ctx),
        listLastHeads(ctx),
        listLostHeads(ctx),
      ])
      const sealKeys = ofSeals.map((key) => {
        const lost = restores.find(({ nextKeyId }) => nextKeyId === key.kid)
        // JSON leaves undefined members out.
        const lostHead = lost && { ...lost, nextKeyId: undefined }
        const lastHead = ended.find(({ keyId }) => keyId === key.kid)
        return { ...key, use: 'sig', alg: 'EdDSA', lastHead, lostHead }
      })
      return { body: { keys: [...keys, ...sealKeys] }, headers: PUBLIC_FOR_5_MIN }
    },
  }),
  getDocument(document),
]

const getDocument = (document: () => string) => {
  let kept: ReturnType<typeof keepText> | undefined
  return route.get('/openapi.json', {
    operationId: 'getDocument',
    summary: 'This OpenAPI document.',
    auth: 'none',
    answers: {
      200: { description: 'OpenAPI 3.1.', schema: z.record(z.string(), z.unknown()) },
      304: { description: 'Not changed: `If-None-Match` names its ETag.' },
    },
    handler: async ({ header }) => {
      kept ??= keepText('application/json', document(), PUBLIC_FOR_5_MIN)
      return kept(header)
    },
  })
}

const withTimeout = (ready: Promise<Readiness>): Promise<Readiness> => {
  const timer = new AbortController()
  return Promise.race([
    ready.finally(() => timer.abort()),
    delay(READY_TIMEOUT_MS, undefined, { signal: timer.signal }).then(
      () => ({ checks: { ok: false, note: 'did not answer in time' } }),
      () => ready,
    ),
  ])
}
