import { z } from 'zod'

const CodeValues = z.object({ code: z.string().min(1).max(20), minutes: z.int().min(1) })

/** What each mail says, apart from its words. Values are stored sealed and parsed when opened. */
export const mailValues = {
  verify_email: CodeValues,
  reset_password: CodeValues,
  endpoint_disabled: z.object({
    url: z.string(),
    reason: z.enum(['gone', 'failing']),
  }),
} as const

export type MailTemplate = keyof typeof mailValues
export type MailValues<T extends MailTemplate> = z.infer<(typeof mailValues)[T]>

export type MailText = { subject: string; text: string }

/** One language: every mail, or the type check fails. */
export type MailTexts = { [T in MailTemplate]: (values: MailValues<T>) => MailText }
