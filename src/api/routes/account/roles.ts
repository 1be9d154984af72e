import { z } from 'zod'
import { changeRoles, ROLES } from '../../../domain/account/index.ts'
import { succeed, success } from '../../../edge/answer/answers.ts'
import type { AppDeps } from '../../../edge/deps.ts'
import { route } from '../../../edge/route.ts'
import { Id } from '../../../edge/schemas.ts'

const ChangeRoles = z
  .strictObject({
    grant: z.array(z.enum(ROLES)).max(ROLES.length).optional(),
    revoke: z.array(z.enum(ROLES)).max(ROLES.length).optional(),
  })
  .refine(({ grant = [], revoke = [] }) => grant.length + revoke.length > 0, {
    message: 'must name a role to grant or to revoke',
  })
  .refine(({ grant = [], revoke = [] }) => !grant.some((role) => revoke.includes(role)), {
    message: 'must not grant and revoke the same role',
  })

export const roleOperations = ({ revokedSessions }: AppDeps) => [
  route.post('/api/users/:id/roles', {
    operationId: 'changeRoles',
    summary: 'Grant or revoke roles, as an administrator.',
    auth: 'verified',
    body: ChangeRoles,
    examples: {
      minimal: { grant: ['verifier'] },
      full: { grant: ['verifier'], revoke: ['admin'] },
    },
    answers: {
      200: success('The changed roles. The loss of a role ends the sessions of the user.', {
        user: z.object({ id: Id, roles: z.array(z.enum(ROLES)) }),
      }),
    },
    errors: ['conflict'],
    handler: async ({ ctx, params, body }) => {
      const change = { grant: body.grant ?? [], revoke: body.revoke ?? [] }
      const { user, endedSessions } = await changeRoles(ctx, params, change)
      revokedSessions.add(endedSessions)
      return succeed({ user: { id: user.id, roles: user.roles } })
    },
  }),
]
