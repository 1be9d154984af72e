import type { Queryable } from '../../db/client.ts'

/**
 * SQL condition on the table `app_user`: the user is verified. A user without an email address
 * counts as verified, because such an account always has a proven wallet.
 */
export const isVerifiedUser = (sql: Queryable) =>
  sql`(app_user.email_verified_at is not null or app_user.email is null)`
