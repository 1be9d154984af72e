import { z } from 'zod'

const CodeValues = z.object({ code: z.string().min(1).max(20), minutes: z.int().min(1) })

/** The values of each mail, which are stored encrypted and checked after decryption. */
export const mailValues = {
  verify_email: CodeValues,
  reset_password: CodeValues,
  change_email: CodeValues,
  /** Replaces the code if an account has the address already, which only the owner may learn. */
  email_taken: z.object({}),
  /** A notice that the password or the mail address was changed. */
  account_changed: z.object({ change: z.enum(['password', 'email']) }),
  endpoint_disabled: z.object({
    url: z.string(),
    reason: z.enum(['gone', 'failing']),
  }),
  /** Items that the account keeps after a password reset, each as one line of text. */
  password_changed: z.object({
    wallets: z.array(z.string()),
    webhooks: z.array(z.string()),
    campaigns: z.array(z.string()),
    roles: z.array(z.string()),
  }),
} as const

export type MailTemplate = keyof typeof mailValues
export type MailValues<T extends MailTemplate> = z.infer<(typeof mailValues)[T]>

/** The text of all lists that are not empty, each under its heading. */
export const listsOf = (lists: readonly (readonly [string, readonly string[]])[]): string =>
  lists
    .filter(([, lines]) => lines.length > 0)
    .map(([heading, lines]) => [`${heading}:`, ...lines.map((line) => `    ${line}`)].join('\n'))
    .join('\n\n')

export type MailText = { subject: string; text: string }

/** The mails of one language. The type check fails if a mail is missing. */
export type MailTexts = { [T in MailTemplate]: (values: MailValues<T>) => MailText }
