import type { Context } from '../../db/context.ts'
import { DomainError } from '../../kernel/errors.ts'

/**
 * Locks the caller's account until the transaction ends, so that a password reset and other
 * requests of the same user wait. Refuses an ended session or API key once more, because the check
 * at the start of a request may use data that is up to 3 seconds old.
 *
 * @throws DomainError `invalid_token` for an ended session, `invalid_api_key` for an ended key
 */
export const holdAccount = async ({ sql, actor }: Context): Promise<void> => {
  if (actor.kind !== 'user') return
  const { userId, sessionId = null, keyId = null } = actor
  await sql`select from app_user where id = ${userId} for no key update`
  // The query above can wait for the lock. Only a new query sees what was committed meanwhile.
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
