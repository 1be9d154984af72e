import { z } from 'zod'

const CodeValues = z.object({ code: z.string().min(1).max(20), minutes: z.int().min(1) })

/** What each mail says, apart from its words. Values are stored sealed and parsed when opened. */
export const mailValues = {
  verify_email: CodeValues,
  reset_password: CodeValues,
  change_email: CodeValues,
  /** In place of the code, where the address belongs to an account: only its owner may know. */
  email_taken: z.object({}),
  /** A notice of what the account's owner, or a person who knows the password, has changed. */
  account_changed: z.object({ change: z.enum(['password', 'email']) }),
  endpoint_disabled: z.object({
    url: z.string(),
    reason: z.enum(['gone', 'failing']),
  }),
  /** What is left in the account after a reset, one line for each. */
  password_changed: z.object({
    wallets: z.array(z.string()),
    webhooks: z.array(z.string()),
    campaigns: z.array(z.string()),
    roles: z.array(z.string()),
  }),
} as const

export type MailTemplate = keyof typeof mailValues
export type MailValues<T extends MailTemplate> = z.infer<(typeof mailValues)[T]>

/** The lists that have something in them, each under its heading. */
export const listsOf = (lists: readonly (readonly [string, readonly string[]])[]): string =>
  lists
    .filter(([, lines]) => lines.length > 0)
    .map(([heading, lines]) => [`${heading}:`, ...lines.map((line) => `    ${line}`)].join('\n'))
    .join('\n\n')

export type MailText = { subject: string; text: string }

/** One language: every mail, or the type check fails. */
export type MailTexts = { [T in MailTemplate]: (values: MailValues<T>) => MailText }
