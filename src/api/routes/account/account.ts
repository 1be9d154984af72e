import { z } from 'zod'
import {
  ChangeAccount,
  ChangeEmail,
  ChangePassword,
  changeAccount,
  changeEmail,
  changePassword,
  confirmCaller,
  DeleteAccount,
  deleteAccount,
  getUser,
  hashNewPassword,
  ROLES,
  requestEmailChange,
} from '../../../domain/account/index.ts'
import { succeed, success } from '../../../edge/answer/answers.ts'
import type { AppDeps } from '../../../edge/deps.ts'
import { guessOf, wrongCode } from '../../../edge/request/account-secret.ts'
import { route } from '../../../edge/route.ts'
import { component, Id, Time } from '../../../edge/schemas.ts'
import { EXAMPLE_PASSWORD } from '../../openapi/samples.ts'
import { Profile } from './session-body.ts'

const Account = component('Account', {
  id: Id,
  email: z.string().nullable().describe('The email address; null if a wallet made the account.'),
  username: z.string(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  lang: z.string(),
  profile: Profile,
  roles: z.array(z.enum(ROLES)),
  emailVerified: z.boolean(),
  verified: z
    .boolean()
    .describe('Whether the account is verified, by its email address or by a wallet.'),
  createdAt: Time,
})

const MESSAGE = { message: z.string() }

/** Operations on the caller's account. A change needs a session; an API key is not enough. */
export const accountOperations = ({ credentials, revokedSessions }: AppDeps) => [
  route.get('/api/auth/me', {
    operationId: 'getAccount',
    summary: 'The account of the caller.',
    auth: 'user',
    answers: { 200: { description: 'The account.', schema: Account } },
    errors: ['not_found'],
    handler: async ({ ctx, caller }) => ({ body: await getUser(ctx, caller?.userId ?? '') }),
  }),
  route.patch('/api/auth/me', {
    operationId: 'changeAccount',
    summary: 'Change your names, your language and your profile.',
    auth: 'verified',
    body: ChangeAccount,
    examples: {
      minimal: { lang: 'fr' },
      full: {
        username: 'ada.l',
        firstName: 'Ada',
        lastName: 'Lovelace',
        lang: 'fr',
        profile: { city: 'Nairobi' },
      },
    },
    answers: { 200: success('The changed account.', { account: Account }) },
    errors: ['username_taken'],
    handler: async ({ ctx, body }) => succeed({ account: await changeAccount(ctx, body) }),
  }),
  route.post('/api/auth/password', {
    operationId: 'changePassword',
    summary: 'Change your password, with the current one.',
    auth: 'verified',
    body: ChangePassword,
    examples: {
      minimal: { newPassword: 'quiet-river-43-stones' },
      full: {
        password: EXAMPLE_PASSWORD,
        newPassword: 'quiet-river-43-stones',
        endAccess: true,
      },
    },
    answers: {
      200: success(
        'Done. All other sessions have ended, and a notice with your wallets and webhooks is mailed. Without `endAccess`, API keys, webhooks and wallets continue to work.',
        MESSAGE,
      ),
    },
    errors: ['invalid_credentials', 'sign_in_again'],
    attempt: ({ ctx, body }) => guessOf(ctx, body),
    prepare: async ({ ctx, body: { password, newPassword } }) => {
      const confirmed = await confirmCaller(ctx, credentials, password)
      const { email, username } = confirmed
      const wish = { email: email ?? '', username, password: newPassword }
      return { confirmed, hash: await hashNewPassword(credentials, wish, 'newPassword') }
    },
    handler: async ({ ctx, body: { endAccess } }, { confirmed, hash }) => {
      const { endedSessions } = await changePassword(ctx, confirmed, hash, { endAccess })
      revokedSessions.add(endedSessions)
      const message = 'Your password is changed, and all your other sessions have ended.'
      return succeed({ message })
    },
  }),
  route.post('/api/auth/email', {
    operationId: 'changeEmail',
    summary: 'Mail a code to a new address; with the code, change the address of your account.',
    auth: 'verified',
    body: ChangeEmail,
    examples: {
      minimal: { email: 'ada@example.com' },
      full: { email: 'ada@example.com', password: EXAMPLE_PASSWORD },
      withCode: { email: 'ada@example.com', code: '482913', endAccess: true },
    },
    answers: {
      200: success(
        'Done. Without a code: a code is mailed to the address, at most once a minute; a taken address gets a notice instead. With the code: the account has the new address, and a notice is mailed to the old address.',
        MESSAGE,
      ),
    },
    errors: ['invalid_credentials', 'sign_in_again', 'invalid_code', 'email_taken', 'conflict'],
    attempt: ({ ctx, body }) => guessOf(ctx, body),
    prepare: async ({ ctx, body: { password, code } }) =>
      code === undefined ? confirmCaller(ctx, credentials, password) : undefined,
    handler: async ({ ctx, body: { email, code = '', endAccess } }, confirmed) => {
      if (confirmed) {
        await requestEmailChange(ctx, credentials, confirmed, email)
        return succeed({ message: 'If this address is free, a code is on its way to it.' })
      }
      const isChanged = await changeEmail(ctx, credentials, { email, code }, { endAccess })
      if (!isChanged) return wrongCode()
      return succeed({ message: 'Your email address is changed.' })
    },
  }),
  route.post('/api/auth/delete-account', {
    operationId: 'deleteAccount',
    summary: 'Delete your account. Complete or cancel your campaigns first.',
    auth: 'verified',
    body: DeleteAccount,
    examples: { minimal: {}, full: { password: EXAMPLE_PASSWORD } },
    answers: {
      200: success(
        'Deleted: names, address, profile, sessions, keys, wallets, webhooks, notifications and drafts. Donations and campaigns stay, without a name, and no other account gets them.',
        MESSAGE,
      ),
    },
    errors: ['invalid_credentials', 'sign_in_again', 'campaigns_open', 'conflict'],
    attempt: ({ ctx, body }) => guessOf(ctx, body),
    prepare: ({ ctx, body: { password } }) => confirmCaller(ctx, credentials, password),
    handler: async ({ ctx }, confirmed) => {
      const { endedSessions } = await deleteAccount(ctx, confirmed)
      revokedSessions.add(endedSessions)
      return succeed({ message: 'Your account is deleted.' })
    },
  }),
]
