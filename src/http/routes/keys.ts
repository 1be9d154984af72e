import { z } from 'zod'
import { hashApiKey, newApiKey } from '../../auth/api-keys.ts'
import {
  CreateKey,
  createKey,
  getKey,
  listKeys,
  RenameKey,
  renameKey,
  revokeKey,
} from '../../domain/key/index.ts'
import { PageQuery } from '../../domain/page.ts'
import { API_SCOPES } from '../../kernel/scopes.ts'
import { type Operation, operation } from '../operation.ts'
import { pageAnswer } from '../paging.ts'
import { Id, IdParams, Pagination, Success, Time } from '../schemas.ts'

const fields = {
  id: Id,
  name: z.string(),
  lastFour: z.string(),
  scopes: z.array(z.enum(API_SCOPES)),
  createdAt: Time,
  expiresAt: Time.nullable(),
  lastUsedAt: Time.nullable().meta({ description: 'To the minute.' }),
  revokedAt: Time.nullable(),
} as const

const ApiKey = z.object(fields).meta({ id: 'ApiKey' })
const NewApiKey = z
  .object({
    ...fields,
    key: z.string().meta({ description: 'Send it as X-API-Key. Shown this once.' }),
  })
  .meta({ id: 'NewApiKey' })

const MAKER = { newKey: newApiKey, hashKey: hashApiKey }

/** Keys are managed by their owner's session, never by a key. */
export const keyOperations = (): Operation[] => [
  operation({
    method: 'post',
    path: '/api/keys',
    operationId: 'createKey',
    summary: 'Make an API key, which acts as you within its scopes.',
    tag: 'keys',
    auth: 'verified',
    scope: 'session',
    body: CreateKey,
    examples: {
      minimal: { name: 'Bookkeeping', scopes: ['read'] },
      full: {
        name: 'Shop',
        scopes: ['read', 'donations:write'],
        expiresAt: '2036-01-31T12:00:00.000Z',
      },
    },
    answers: {
      201: {
        description: 'The key, shown this once.',
        schema: z.object({ success: Success, key: NewApiKey }),
      },
    },
    errors: ['forbidden', 'conflict'],
    handler: async ({ ctx, body }) => {
      const key = await createKey(ctx, MAKER, body)
      return { status: 201, location: `/api/keys/${key.id}`, body: { success: true, key } }
    },
  }),
  operation({
    method: 'get',
    path: '/api/keys',
    operationId: 'listKeys',
    summary: 'Your API keys, revoked ones too, newest first.',
    tag: 'keys',
    auth: 'user',
    scope: 'session',
    query: PageQuery,
    answers: {
      200: {
        description: 'One page.',
        schema: z.object({ success: Success, keys: z.array(ApiKey), pagination: Pagination }),
      },
    },
    errors: ['forbidden', 'invalid_cursor'],
    handler: async ({ ctx, query, url }) =>
      pageAnswer('keys', await listKeys(ctx, query), url, (key) => key),
  }),
  operation({
    method: 'get',
    path: '/api/keys/:id',
    operationId: 'getKey',
    summary: 'One of your API keys.',
    tag: 'keys',
    auth: 'user',
    scope: 'session',
    params: IdParams,
    answers: { 200: { description: 'The key, without the key itself.', schema: ApiKey } },
    errors: ['forbidden'],
    handler: async ({ ctx, params }) => ({ status: 200, body: await getKey(ctx, params.id) }),
  }),
  operation({
    method: 'patch',
    path: '/api/keys/:id',
    operationId: 'renameKey',
    summary: 'Rename an API key. Its scopes and its expiry stay.',
    tag: 'keys',
    auth: 'verified',
    scope: 'session',
    params: IdParams,
    body: RenameKey,
    examples: { minimal: { name: 'Shop in Nairobi' } },
    answers: {
      200: {
        description: 'The key as it is now.',
        schema: z.object({ success: Success, key: ApiKey }),
      },
    },
    errors: ['forbidden'],
    handler: async ({ ctx, params, body }) => ({
      status: 200,
      body: { success: true, key: await renameKey(ctx, params.id, body) },
    }),
  }),
  operation({
    method: 'delete',
    path: '/api/keys/:id',
    operationId: 'revokeKey',
    summary: 'Revoke an API key; it is refused everywhere within three seconds.',
    tag: 'keys',
    auth: 'verified',
    scope: 'session',
    params: IdParams,
    answers: { 204: { description: 'Revoked.' } },
    errors: ['forbidden'],
    handler: async ({ ctx, params }) => {
      await revokeKey(ctx, params.id)
      return { status: 204 }
    },
  }),
]
