import { z } from 'zod'
import { ChangeAccount, changeAccount, getUser } from '../../domain/user/index.ts'
import { type Operation, operation } from '../operation.ts'
import { Id, Success, Time } from '../schemas.ts'
import { Profile } from './session-body.ts'

const Account = z
  .object({
    id: Id,
    email: z.string().nullable().meta({ description: 'Null where a wallet made the account.' }),
    username: z.string(),
    firstName: z.string().nullable(),
    lastName: z.string().nullable(),
    lang: z.string(),
    profile: Profile,
    roles: z.array(z.string()),
    emailVerified: z.boolean(),
    verified: z.boolean().meta({ description: 'The address is verified, or a wallet is proven.' }),
    createdAt: Time,
  })
  .meta({ id: 'Account' })

/** The caller's account, which only a session of theirs changes. */
export const accountOperations = (): Operation[] => [
  operation({
    method: 'get',
    path: '/api/auth/me',
    operationId: 'getAccount',
    summary: 'The account of the caller.',
    tag: 'auth',
    auth: 'user',
    answers: { 200: { description: 'The account.', schema: Account } },
    errors: ['not_found'],
    handler: async ({ ctx, caller }) => ({
      status: 200,
      body: await getUser(ctx, caller?.userId ?? ''),
    }),
  }),
  operation({
    method: 'patch',
    path: '/api/auth/me',
    operationId: 'changeAccount',
    summary: 'Change your names, your language and your profile.',
    tag: 'auth',
    auth: 'verified',
    body: ChangeAccount,
    answers: {
      200: {
        description: 'The account as it is now.',
        schema: z.object({ success: Success, account: Account }),
      },
    },
    errors: ['username_taken'],
    handler: async ({ ctx, body }) => ({
      status: 200,
      body: { success: true, account: await changeAccount(ctx, body) },
    }),
  }),
]
