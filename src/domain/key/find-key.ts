import type { Context } from '../context.ts'
import { isVerifiedUser } from '../verified-user.ts'

/** The owner and scopes of a key. */
export type KeyOwner = {
  keyId: string
  userId: string
  roles: string[]
  verified: boolean
  scopes: string[]
  expiresAt: Date | null
}

type OwnerRow = {
  id: string
  userId: string
  roles: string[]
  verified: boolean
  scopes: string[]
  expiresAt: Date | null
}

/** A busy key's row is written once a minute, not with each request. */
const NOTE_EVERY_MS = 60_000

/** The owner of a key that is in force, noting that it was used; null for none. One statement. */
export const findKey = async (ctx: Context, keyHash: string): Promise<KeyOwner | null> => {
  const now = ctx.clock.now()
  const [row] = await ctx.sql<OwnerRow[]>`
    with noted as (
      update api_key set last_used_at = ${now}
      where key_hash = ${keyHash} and revoked_at is null
        and (expires_at is null or expires_at > ${now})
        and (last_used_at is null or last_used_at < ${new Date(now.getTime() - NOTE_EVERY_MS)})
    )
    select api_key.id, api_key.user_id, app_user.roles,
           ${isVerifiedUser(ctx.sql)} as verified, api_key.scopes, api_key.expires_at
    from api_key join app_user on app_user.id = api_key.user_id
    where api_key.key_hash = ${keyHash} and api_key.revoked_at is null`
  return row
    ? {
        keyId: row.id,
        userId: row.userId,
        roles: row.roles,
        verified: row.verified,
        scopes: row.scopes,
        expiresAt: row.expiresAt,
      }
    : null
}
