import { z } from 'zod'
import { DomainError } from '../../../kernel/errors.ts'
import { isId } from '../../../kernel/formats/ids.ts'

const MAX_LENGTH = 80
/** The greatest length of a slug from a title. A unique suffix still fits within MAX_LENGTH. */
const MAX_MADE = 60
const SUFFIX_LENGTH = 8

/** The name of a campaign in URLs. A slug is never a UUID, because a URL can also have an id. */
export const Slug = z
  .string()
  .max(MAX_LENGTH)
  .regex(
    /^[a-z0-9]+(-[a-z0-9]+)*$/,
    'must be lower case letters and digits, with single hyphens between them',
  )
  .refine((text) => !isId(text), { error: 'must not be a UUID' })

/** The id or the slug of a campaign in a URL. */
export const IdOrSlug = z
  .string()
  .max(MAX_LENGTH)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/i)
  .meta({ description: 'Its id, or its slug.', examples: ['wells-for-kitui'] })

/** Slugs for a campaign without a given slug. The caller tries each; the last slug is unique. */
export const slugsFor = (title: string, id: string): string[] => {
  const words = title.normalize('NFKD').toLowerCase().replaceAll('ß', 'ss')
  const plain = words.replaceAll(/\p{M}/gu, '').replaceAll(/[^a-z0-9]+/g, '-')
  const made = plain.replace(/^-/, '').slice(0, MAX_MADE).replace(/-$/, '')
  const unique = `${made || 'campaign'}-${id.slice(-SUFFIX_LENGTH)}`
  return made === '' || isId(made) ? [unique] : [made, unique]
}

export const slugTaken = () =>
  new DomainError('conflict', 'Another campaign has this slug.', [
    { path: 'slug', message: 'belongs to another campaign' },
  ])
