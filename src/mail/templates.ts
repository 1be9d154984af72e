import { z } from 'zod'

const CodeValues = z.object({ code: z.string().min(1).max(20), minutes: z.int().min(1) })

/** The values of each mail, which are stored encrypted and checked after decryption. */
export const mailValues = {
  verify_email: CodeValues,
  reset_password: CodeValues,
  change_email: CodeValues,
  /** Sent instead of a code, so that only the owner of an address learns of its account. */
  email_taken: z.object({}),
  /** A notice that the mail address was changed, or that a wallet was linked. */
  account_changed: z.discriminatedUnion('change', [
    z.object({ change: z.literal('email') }),
    z.object({ change: z.literal('wallet'), wallet: z.string() }),
  ]),
  endpoint_disabled: z.object({
    url: z.string(),
    reason: z.enum(['gone', 'failing']),
  }),
  /** What the account still has after a new password. Each item is one line of text. */
  password_changed: z.object({
    /** Whether API keys, webhooks and wallets continue to work. */
    isKept: z.boolean(),
    wallets: z.array(z.string()),
    webhooks: z.array(z.string()),
    campaigns: z.array(z.string()),
    roles: z.array(z.string()),
  }),
} as const

export type MailTemplate = keyof typeof mailValues
export type MailValues<T extends MailTemplate> = z.infer<(typeof mailValues)[T]>

type List = readonly [heading: string, lines: readonly string[]]

/** Writes lists below a sentence, each under its heading. Leaves out empty lists. */
export const listsOf = (sentence: string, lists: readonly List[]): string => {
  const full = lists.filter(([, lines]) => lines.length > 0)
  const texts = full.map(([heading, lines]) => [`${heading}:`, ...lines].join('\n    '))
  return full.length === 0 ? '' : `\n${[sentence, ...texts].join('\n\n')}\n`
}

export type MailText = { subject: string; text: string }

/** The mails of one language. The type check fails if a mail is missing. */
export type MailTexts = { [T in MailTemplate]: (values: MailValues<T>) => MailText }
