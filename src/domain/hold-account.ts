import { DomainError } from '../kernel/errors.ts'
import type { Context } from './context.ts'

/**
 * Locks the caller's account until the transaction ends, so that no limit is exceeded and no
 * password reset runs meanwhile. Refuses a session or key that has ended, because a process may
 * learn of this end up to 3 seconds late.
 *
 * @throws DomainError `invalid_token` for an ended session, `invalid_api_key` for an ended key
 */
export const holdAccount = async ({ sql, actor }: Context): Promise<void> => {
  if (actor.kind !== 'user') return
  const { userId, sessionId = null, keyId = null } = actor
  await sql`select from app_user where id = ${userId} for no key update`
  // A second statement, because only a new statement sees changes that the lock has waited for.
  const [row] = await sql<{ sessionEnded: boolean; keyEnded: boolean }[]>`
    select exists (
             select from session where id = ${sessionId} and revoked_at is not null
           ) as session_ended,
           ${keyId}::uuid is not null and not exists (
             select from api_key where id = ${keyId} and revoked_at is null
           ) as key_ended`
  if (row?.sessionEnded) {
    throw new DomainError('invalid_token', 'The session of this access token has ended.')
  }
  if (row?.keyEnded) throw new DomainError('invalid_api_key', 'The API key is not valid.')
}
