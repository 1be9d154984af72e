import { z } from 'zod'
import { API_SCOPES } from '../../../kernel/scopes.ts'
import { Moment } from '../../shared/index.ts'

const Name = z.string().trim().min(1).max(100)

export const CreateKey = z.strictObject({
  name: Name,
  scopes: z
    .array(z.enum(API_SCOPES))
    .min(1)
    .max(API_SCOPES.length)
    .transform((scopes) => [...new Set(scopes)]),
  /** Without this field, the key is valid until it is revoked. */
  expiresAt: Moment.optional(),
})
export type CreateKey = z.output<typeof CreateKey>

export const RenameKey = z.strictObject({ name: Name })
export type RenameKey = z.output<typeof RenameKey>
