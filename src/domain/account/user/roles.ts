import type { Context } from '../../../db/context.ts'
import { withTransaction } from '../../../db/transaction.ts'
import { isAdmin } from '../../../kernel/actor.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { cancelForeignDeliveries } from '../../events/index.ts'
import { holdAccount } from '../../shared/index.ts'
import { type UserView, unknownUser, userColumns } from './account.ts'
import { revokeSessions } from './end-sessions.ts'

/** Roles that an administrator can grant. Users need no role for donations and campaigns. */
export const ROLES = ['admin', 'verifier'] as const
type Role = (typeof ROLES)[number]

/** The key of the advisory lock that `holdAdmins` takes. */
const ADMIN_LOCK = 7_310_420_119

/**
 * Locks role changes until the transaction ends, so that at least one administrator remains. Call
 * `holdAdmins` before any account is locked.
 */
export const holdAdmins = async ({ sql }: Context): Promise<void> => {
  await sql`select pg_advisory_xact_lock(${ADMIN_LOCK})`
}

/**
 * Grants and revokes roles of a user. A granted role is in the user's next access token. If a role
 * is revoked, all sessions of the user end, because their tokens still contain the role. Only
 * administrators and the command line may do this. `endedSessions` has the ids of ended sessions.
 *
 * @throws DomainError `forbidden` if the caller may not do this; `not_found` for an unknown user;
 *   `conflict` if an unverified user would get a role, or if no administrator would remain
 */
export const changeRoles = (
  ctx: Context,
  who: { id: string } | { email: string },
  change: { grant?: readonly Role[]; revoke?: readonly Role[] },
): Promise<{ user: UserView; endedSessions: string[] }> =>
  withTransaction(ctx, async (ctx) => {
    const { sql } = ctx
    if (!isAdmin(ctx.actor)) throw new DomainError('forbidden', 'Only administrators grant roles.')
    await holdAdmins(ctx)
    await holdAccount(ctx)
    const [row] = await sql<UserView[]>`
      select ${userColumns(sql)} from app_user
      where ${'id' in who ? sql`id = ${who.id}` : sql`email = ${who.email}`}
        and deleted_at is null
      for update`
    if (!row) throw unknownUser()
    const granted = (change.grant ?? []).filter((role) => !row.roles.includes(role))
    const revoked = (change.revoke ?? []).filter((role) => row.roles.includes(role))
    if (granted.length > 0 && !row.verified) {
      throw new DomainError('conflict', 'The user must verify their email address first.')
    }
    if (revoked.includes('admin')) await keepAnAdmin(ctx, row.id)
    const roles = [...row.roles, ...granted].filter(
      (role) => !revoked.some((lost) => lost === role),
    )
    await sql`update app_user set roles = ${roles}::text[] where id = ${row.id}`
    if (revoked.includes('admin')) await cancelForeignDeliveries(ctx, ctx.sql`owner.id = ${row.id}`)
    ctx.log.warn({ userId: row.id, granted, revoked }, 'roles changed')
    const endedSessions =
      revoked.length > 0 ? await revokeSessions(ctx, row.id, 'role_revoked') : []
    return { user: { ...row, roles }, endedSessions }
  })

/**
 * Checks that an administrator remains without the user `leaving` (an id). Call `holdAdmins` first.
 *
 * @throws DomainError `conflict` if the user is the last administrator
 */
export const keepAnAdmin = async ({ sql }: Context, leaving: string): Promise<void> => {
  const others = await sql`
    select from app_user where 'admin' = any(roles) and id <> ${leaving} limit 1`
  if (others.length === 0) {
    throw new DomainError(
      'conflict',
      'This is the last administrator: make another user an administrator first.',
    )
  }
}
