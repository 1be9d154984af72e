import { z } from 'zod'
import { JsonNumber } from '../../../kernel/formats/json.ts'
import { SignedChallenge } from '../../people/index.ts'
import { CreateKey } from '../key/schemas.ts'

const MAX_PROFILE_CHARACTERS = 4_096
const MAX_PROFILE_DEPTH = 8

/** An email address in lower case, because mail providers ignore the case. */
export const Email = z
  .string()
  .trim()
  .toLowerCase()
  .max(254)
  .pipe(z.email('must be an email address'))

const Username = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{2,31}$/, 'must be 3 to 32 letters, digits, "_", "." or "-"')

const name = z.string().trim().min(1).max(100)

/** Fields of an account that clients choose: a JSON object with limits on its size and depth. */
const Profile = z.record(z.string(), z.unknown()).refine(isModestJson, {
  message: `must be plain JSON of at most ${MAX_PROFILE_CHARACTERS} characters and ${MAX_PROFILE_DEPTH} levels`,
})

/** A BCP 47 language tag for the mails and notifications to the user. */
const Lang = z
  .string()
  .regex(
    /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/,
    'must be a language tag such as "en" or "pt-BR"',
  )

/** Only the length is checked here. `refusePassword` checks the rules for new passwords. */
const Password = z.string().min(1).max(1_024)

export const RegisterUser = z.strictObject({
  email: Email,
  username: Username,
  password: Password,
  firstName: name.optional(),
  lastName: name.optional(),
  lang: Lang.default('en'),
  profile: Profile.default({}),
})
export type RegisterUser = z.output<typeof RegisterUser>

/** The account keeps its value for each missing field. Null clears the field of the account. */
export const ChangeAccount = z.strictObject({
  username: Username.optional(),
  firstName: name.nullable().optional(),
  lastName: name.nullable().optional(),
  lang: Lang.optional(),
  profile: Profile.optional(),
})
export type ChangeAccount = z.output<typeof ChangeAccount>

export const Login = z.strictObject({
  /** The email address or the user name. */
  username: z.string().trim().min(1).max(254),
  password: Password,
})
export type Login = z.output<typeof Login>

const Code = z.string().regex(/^\d{6}$/, 'must be six digits')

export const RequestVerification = z.strictObject({
  email: Email,
  /** Without a code, a new code is mailed. With a code, the address becomes verified. */
  code: Code.optional(),
})

export const ResetPassword = z
  .strictObject({
    email: Email,
    /** Without code and password, a code is mailed. With code and password, the password is set. */
    code: Code.optional(),
    password: Password.optional(),
  })
  .refine(({ code, password }) => (code === undefined) === (password === undefined), {
    message: 'must hold code and password, or neither',
  })

const CurrentPassword = Password.optional().meta({
  description:
    'The current password. Leave it out if the account has no password: then it needs a sign-in of the last ten minutes.',
})

const EndAccess = z.boolean().optional().meta({
  description:
    'Also revokes your API keys, pauses your webhooks and ends your other sessions. A wallet cannot sign in until you link it again. With a new address, this field needs the code.',
})

/** Without a password, the sign-in must be at most ten minutes old. */
export const LinkWallet = SignedChallenge.safeExtend({ password: Password.optional() })

export const MakeKey = CreateKey.extend({ password: Password.optional() })

export const ChangePassword = z.strictObject({
  password: CurrentPassword,
  newPassword: Password,
  endAccess: EndAccess,
})

export const ChangeEmail = z
  .strictObject({
    email: Email,
    password: CurrentPassword,
    /** Without a code, a code is mailed to the new address. With a code, the address is changed. */
    code: Code.optional(),
    endAccess: EndAccess,
  })
  .refine(({ password, code }) => password === undefined || code === undefined, {
    message: 'must not hold password and code together',
  })

export const DeleteAccount = z.strictObject({ password: CurrentPassword })

export const RefreshSession = z.strictObject({ refreshToken: z.string().min(1).max(200) })

function isModestJson(value: Record<string, unknown>): boolean {
  return (
    isWithin(value, MAX_PROFILE_DEPTH) && JSON.stringify(value).length <= MAX_PROFILE_CHARACTERS
  )
}

/** Allows at most `depth` levels. Postgres cannot store every `JsonNumber`, so none is allowed. */
const isWithin = (value: unknown, depth: number): boolean => {
  if (value instanceof JsonNumber) return false
  if (typeof value !== 'object' || value === null) return true
  return depth > 0 && Object.values(value).every((item) => isWithin(item, depth - 1))
}
