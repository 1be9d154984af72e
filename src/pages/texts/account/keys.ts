import type { ErrorCode } from '../../../kernel/errors.ts'

/** The names of the fields in forms of this area. */
export const FIELDS = [
  'name',
  'email',
  'username',
  'password',
  'newPassword',
  'code',
  'firstName',
  'lastName',
  'lang',
  'token',
] as const
export type FieldName = (typeof FIELDS)[number]

/** The refusals that a form of this area explains. Other errors have a page of their own. */
export const REFUSALS = [
  'invalid_credentials',
  'invalid_code',
  'email_taken',
  'username_taken',
  'rate_limited',
  'unavailable',
  'invalid_challenge',
  'invalid_signature',
  'wallet_taken',
  'sign_in_again',
  'conflict',
  'forbidden',
  'not_found',
  'transfer_already_claimed',
  'transfer_before_campaign',
] as const satisfies readonly ErrorCode[]
export type Refusal = (typeof REFUSALS)[number]
