import { z } from 'zod'
import { listPrintedMail } from '../../domain/mail/index.ts'
import { Email } from '../../domain/user/index.ts'
import type { AppDeps } from '../deps.ts'
import { type Operation, operation } from '../operation.ts'
import { Id, Success, Time } from '../schemas.ts'

const Mail = z
  .object({
    id: Id,
    template: z.string(),
    subject: z.string(),
    text: z.string(),
    createdAt: Time,
  })
  .meta({ id: 'Mail' })

/** Only where nothing is real: in production these paths do not exist. */
export const sandboxOperations = ({ settings }: AppDeps): Operation[] =>
  settings.environment === 'sandbox' && settings.mailIsPrinted
    ? [
        operation({
          method: 'get',
          path: '/api/sandbox/mail',
          operationId: 'listSandboxMail',
          summary: 'The newest mail to an address, which is printed instead of sent.',
          tag: 'sandbox',
          auth: 'none',
          query: z.object({ to: Email }),
          answers: {
            200: {
              description: 'Newest first.',
              schema: z.object({ success: Success, mail: z.array(Mail) }),
            },
          },
          handler: async ({ ctx, query }) => ({
            status: 200,
            body: { success: true, mail: await listPrintedMail(ctx, query) },
          }),
        }),
      ]
    : []
