import { DomainError } from '../../kernel/errors.ts'
import type { ApiScope } from '../../kernel/scopes.ts'

export type KeyRow = {
  id: string
  name: string
  lastFour: string
  scopes: ApiScope[]
  createdAt: Date
  expiresAt: Date | null
  lastUsedAt: Date | null
  revokedAt: Date | null
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
  lastFour: row.lastFour,
  scopes: row.scopes,
  createdAt: row.createdAt,
  expiresAt: row.expiresAt,
  lastUsedAt: row.lastUsedAt,
  revokedAt: row.revokedAt,
})

export const unknownKey = () => new DomainError('not_found', 'There is no such API key.')
