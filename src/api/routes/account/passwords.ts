import { z } from 'zod'
import {
  hashNewPassword,
  ResetPassword,
  requestCode,
  resetPassword,
} from '../../../domain/account/index.ts'
import { succeed, success } from '../../../edge/answer/answers.ts'
import type { AppDeps } from '../../../edge/deps.ts'
import { wrongCode } from '../../../edge/request/account-secret.ts'
import { route } from '../../../edge/route.ts'
import { EXAMPLE_PASSWORD } from '../../openapi/samples.ts'

export const passwordOperations = ({ credentials, revokedSessions }: AppDeps) => [
  route.post('/api/auth/reset-password', {
    operationId: 'resetPassword',
    summary: 'Mail a code for a forgotten password; with the code, set a new password.',
    auth: 'none',
    body: ResetPassword,
    examples: {
      minimal: { email: 'ada@example.org' },
      full: { email: 'ada@example.org', code: '482913', password: EXAMPLE_PASSWORD },
    },
    answers: {
      200: success(
        'Done. A changed password ends all sessions, revokes API keys and pauses webhooks, and a list of the rest is mailed to the address. If the change also verifies the address for the first time, everything that the account had made is removed.',
        { message: z.string() },
      ),
    },
    errors: ['invalid_code'],
    attempt: ({ body: { email, code } }) =>
      code === undefined ? undefined : { secret: 'code', account: email },
    // Hashes the password before the code check, so that the time does not reveal a right code.
    prepare: async ({ body: { email, password } }) =>
      password === undefined
        ? undefined
        : hashNewPassword(credentials, { email, username: '', password }),
    handler: async ({ ctx, body: { email, code } }, passwordHash) => {
      if (code === undefined || passwordHash === undefined) {
        await requestCode(ctx, credentials, 'reset_password', email)
        return succeed({ message: 'If this address is registered, a code is on its way to it.' })
      }
      const changed = await resetPassword(ctx, credentials, { email, code, passwordHash })
      if (!changed) return wrongCode()
      revokedSessions.add(changed.endedSessions)
      const message = 'Your password is changed, and all sessions and API keys have ended. Sign in.'
      return succeed({ message })
    },
  }),
]
