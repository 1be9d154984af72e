import { z } from 'zod'

/** Line breaks, other control characters, and characters that change the text direction (UAX 9). */
const UNSAFE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/u
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u

/** A schema for one line of plain text that an author publishes. Web pages must escape the text. */
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

export const PublicName = publicText(80)
