import type { ApiKey } from '../../db/schema/access.ts'
import type { AppUser } from '../../db/schema/users.ts'
import type { Context } from '../context.ts'
import { isVerifiedUser } from '../verified-user.ts'

/** The owner and scopes of a key. The caller of `findKey` must check `expiresAt`. */
type KeyOwner = Pick<ApiKey, 'userId' | 'scopes' | 'expiresAt'> &
  Pick<AppUser, 'roles'> & { keyId: string; verified: boolean }

/** The time of a key's last use is stored at most once a minute, because keys are used often. */
const NOTE_EVERY_MS = 60_000

/** Records the use of a key and returns its owner, or null for an unknown or revoked key. */
export const findKey = async (ctx: Context, keyHash: string): Promise<KeyOwner | null> => {
  const now = ctx.clock.now()
  const [owner] = await ctx.sql<KeyOwner[]>`
    with noted as (
      update api_key set last_used_at = ${now}
      where key_hash = ${keyHash} and revoked_at is null
        and (expires_at is null or expires_at > ${now})
        and (last_used_at is null or last_used_at < ${new Date(now.getTime() - NOTE_EVERY_MS)})
    )
    select api_key.id as key_id, api_key.user_id, app_user.roles,
           ${isVerifiedUser(ctx.sql)} as verified, api_key.scopes, api_key.expires_at
    from api_key join app_user on app_user.id = api_key.user_id
    where api_key.key_hash = ${keyHash} and api_key.revoked_at is null`
  return owner ?? null
}
