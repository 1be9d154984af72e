import type { Queryable } from '../../db/client.ts'
import type { ApiKey } from '../../db/schema/access.ts'
import { DomainError } from '../../kernel/errors.ts'

/** An API key as its owner sees it; the key itself is shown once, when it is made. */
export type KeyView = Omit<ApiKey, 'userId' | 'keyHash'>

/** The columns of a {@link KeyView}. */
export const keyColumns = (sql: Queryable) => sql`
  id, name, last_four, scopes, created_at, expires_at, last_used_at, revoked_at`

export const unknownKey = () => new DomainError('not_found', 'There is no such API key.')
