import type { Context } from '../context.ts'

export type UserRow = {
  id: string
  /** Null for an account that a wallet made, until an address is added. */
  email: string | null
  username: string
  first_name: string | null
  last_name: string | null
  lang: string
  profile: Record<string, unknown>
  roles: string[]
  email_verified_at: Date | null
  created_at: Date
}

/** A user as they see themselves. */
export type UserView = {
  id: string
  email: string | null
  username: string
  firstName: string | null
  lastName: string | null
  lang: string
  profile: Record<string, unknown>
  roles: string[]
  emailVerified: boolean
  /** The address is, or a wallet is proven. */
  verified: boolean
  createdAt: Date
}

export const toUserView = (row: UserRow): UserView => ({
  id: row.id,
  email: row.email,
  username: row.username,
  firstName: row.first_name,
  lastName: row.last_name,
  lang: row.lang,
  profile: row.profile,
  roles: row.roles,
  emailVerified: row.email_verified_at !== null,
  verified: row.email_verified_at !== null || row.email === null,
  createdAt: row.created_at,
})

type Json = Parameters<Context['sql']['json']>[0]
/** A profile is parsed JSON, of which zod can only say `unknown`. */
export const asJson = (profile: Record<string, unknown>): Json => profile as Json
