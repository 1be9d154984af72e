import type { Context } from '../context.ts'

export type UserRow = {
  id: string
  /** Null for an account that a wallet made, until an address is added. */
  email: string | null
  username: string
  firstName: string | null
  lastName: string | null
  lang: string
  profile: Record<string, unknown>
  roles: string[]
  emailVerifiedAt: Date | null
  createdAt: Date
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
  firstName: row.firstName,
  lastName: row.lastName,
  lang: row.lang,
  profile: row.profile,
  roles: row.roles,
  emailVerified: row.emailVerifiedAt !== null,
  verified: row.emailVerifiedAt !== null || row.email === null,
  createdAt: row.createdAt,
})

type Json = Parameters<Context['sql']['json']>[0]
/** A profile is parsed JSON, of which zod can only say `unknown`. */
export const asJson = (profile: Record<string, unknown>): Json => profile as Json
