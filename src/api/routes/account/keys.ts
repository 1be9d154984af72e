import { z } from 'zod'
import { hashApiKey, newApiKey } from '../../../auth/api-keys.ts'
import {
  confirmCaller,
  createKey,
  getKey,
  listKeys,
  MakeKey,
  RenameKey,
  renameKey,
  revokeKey,
} from '../../../domain/account/index.ts'
import { PageQuery } from '../../../domain/shared/index.ts'
import { pageAnswer, pageOf, succeed, success } from '../../../edge/answer/answers.ts'
import type { AppDeps } from '../../../edge/deps.ts'
import { guessOf } from '../../../edge/request/account-secret.ts'
import { route } from '../../../edge/route.ts'
import { component, Id, Time } from '../../../edge/schemas.ts'
import { API_SCOPES } from '../../../kernel/scopes.ts'
import { EXAMPLE_PASSWORD } from '../../openapi/samples.ts'

const fields = {
  id: Id,
  name: z.string(),
  lastFour: z.string(),
  scopes: z.array(z.enum(API_SCOPES)),
  createdAt: Time,
  expiresAt: Time.nullable(),
  lastUsedAt: Time.nullable().describe('The time of the last use, rounded to the minute.'),
  revokedAt: Time.nullable(),
} as const

const ApiKey = component('ApiKey', fields)
const NewApiKey = component('NewApiKey', {
  ...fields,
  key: z.string().describe('The key, to send as `X-API-Key`. Only this answer shows the key.'),
})

const MAKER = { newKey: newApiKey, hashKey: hashApiKey }

/** Operations on API keys. All of them need a session, so that no API key can manage keys. */
export const keyOperations = ({ apiKeys, credentials }: AppDeps) => [
  route.post('/api/keys', {
    operationId: 'createKey',
    summary:
      'Make an API key, which acts as you within its scopes. Send your password if your sign-in is older than ten minutes.',
    auth: 'verified',
    body: MakeKey,
    examples: {
      minimal: { name: 'Bookkeeping', scopes: ['read'] },
      full: {
        name: 'Shop',
        scopes: ['read', 'donations:write'],
        expiresAt: '2036-01-31T12:00:00.000Z',
        password: EXAMPLE_PASSWORD,
      },
    },
    answers: { 201: success('The key, which is shown only this time.', { key: NewApiKey }) },
    errors: ['conflict', 'invalid_credentials', 'sign_in_again'],
    attempt: ({ ctx, body }) => guessOf(ctx, body),
    prepare: ({ ctx, body }) => confirmCaller(ctx, credentials, body.password, { orRecent: true }),
    handler: async ({ ctx, body: { password: _, ...input } }) => {
      const key = await createKey(ctx, MAKER, input)
      return succeed({ key }, { location: `/api/keys/${key.id}` })
    },
  }),
  route.get('/api/keys', {
    operationId: 'listKeys',
    summary: 'Your API keys, also revoked keys, newest first.',
    auth: 'user',
    scope: 'session',
    query: PageQuery,
    answers: { 200: pageOf('keys', ApiKey) },
    handler: async ({ ctx, query, url }) => pageAnswer('keys', await listKeys(ctx, query), url),
  }),
  route.get('/api/keys/:id', {
    operationId: 'getKey',
    summary: 'One of your API keys.',
    auth: 'user',
    scope: 'session',
    answers: { 200: { description: 'The facts of the key, without its secret.', schema: ApiKey } },
    handler: async ({ ctx, params }) => ({ body: await getKey(ctx, params.id) }),
  }),
  route.patch('/api/keys/:id', {
    operationId: 'renameKey',
    summary: 'Rename an API key. Its scopes and its expiry do not change.',
    auth: 'verified',
    body: RenameKey,
    examples: { minimal: { name: 'Shop in Nairobi' } },
    answers: { 200: success('The changed key.', { key: ApiKey }) },
    handler: async ({ ctx, params, body }) =>
      succeed({ key: await renameKey(ctx, params.id, body) }),
  }),
  route.delete('/api/keys/:id', {
    operationId: 'revokeKey',
    summary: 'Revoke an API key. It is refused everywhere within three seconds.',
    auth: 'verified',
    answers: { 204: { description: 'Revoked.' } },
    handler: async ({ ctx, params }) => {
      await revokeKey(ctx, params.id)
      apiKeys.forget()
    },
  }),
]
