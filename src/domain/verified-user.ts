import type { Queryable } from '../db/client.ts'

/**
 * SQL for a condition on `app_user`: its address is verified, or it has none. Only a proven wallet
 * makes an account without an address, and the last wallet of such an account stays.
 */
export const isVerifiedUser = (sql: Queryable) =>
  sql`(app_user.email_verified_at is not null or app_user.email is null)`
