import { z } from 'zod'
import { API_SCOPES } from '../../kernel/scopes.ts'

export const CreateKey = z.strictObject({
  name: z.string().trim().min(1).max(100),
  scopes: z
    .array(z.enum(API_SCOPES))
    .min(1)
    .max(API_SCOPES.length)
    .transform((scopes) => [...new Set(scopes)]),
  /** Left out: until it is revoked. */
  expiresAt: z.iso
    .datetime({ offset: true })
    .transform((text) => new Date(text))
    .optional(),
})
export type CreateKey = z.output<typeof CreateKey>
