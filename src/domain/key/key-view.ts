import { DomainError } from '../../kernel/errors.ts'
import type { ApiScope } from '../../kernel/scopes.ts'

export type KeyRow = {
  id: string
  name: string
  last_four: string
  scopes: ApiScope[]
  created_at: Date
  expires_at: Date | null
  last_used_at: Date | null
  revoked_at: Date | null
}

/** An API key as its owner sees it; the key itself is shown once, when it is made. */
export type KeyView = {
  id: string
  name: string
  lastFour: string
  scopes: ApiScope[]
  createdAt: Date
  expiresAt: Date | null
  /** To the minute. */
  lastUsedAt: Date | null
  revokedAt: Date | null
}

export const toKeyView = (row: KeyRow): KeyView => ({
  id: row.id,
  name: row.name,
  lastFour: row.last_four,
  scopes: row.scopes,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  lastUsedAt: row.last_used_at,
  revokedAt: row.revoked_at,
})

export const unknownKey = () => new DomainError('not_found', 'There is no such API key.')
