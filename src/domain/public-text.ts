import { z } from 'zod'

/** Controls with line breaks, and what reorders or splits the text around it (Unicode UAX 9). */
const UNSAFE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/u
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u

/**
 * One line of plain text that strangers read under the name of its author. Pages must escape it.
 */
export const publicText = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .refine((text) => !UNSAFE.test(text), {
      error: 'must not hold line breaks or other control characters',
    })
    .refine((text) => text === '' || VISIBLE.test(text), {
      error: 'must hold something that can be seen',
    })

/** What a person or an organisation wants to be called in public. */
export const PublicName = publicText(80)
