import { isDeepStrictEqual } from 'node:util'
import { CAMPAIGN_STATUSES, MILESTONE_STATUSES } from '../../domain/campaign/index.ts'
import { DELIVERY_STATUSES } from '../../domain/delivery/index.ts'
import { DONATION_STATUSES } from '../../domain/donation/index.ts'
import { DECISIONS } from '../../domain/milestone/index.ts'
import { NOTIFICATION_STATUSES, NOTIFICATION_TYPES } from '../../domain/notification/index.ts'
import { ROLES } from '../../domain/user/index.ts'
import { API_SCOPES } from '../../kernel/scopes.ts'
import { EVENT_TYPES } from '../../outbox/events.ts'
import type { JsonSchema } from '../json-schema.ts'

type Components = Record<string, JsonSchema>

/** Lists of values that are the same wherever they stand. */
const ENUMS: Readonly<Record<string, readonly string[]>> = {
  ApiScope: API_SCOPES,
  CampaignStatus: CAMPAIGN_STATUSES,
  DeliveryStatus: DELIVERY_STATUSES,
  DonationStatus: DONATION_STATUSES,
  EventType: EVENT_TYPES,
  MilestoneStatus: MILESTONE_STATUSES,
  NotificationStatus: NOTIFICATION_STATUSES,
  NotificationType: NOTIFICATION_TYPES,
  Role: ROLES,
  VerificationDecision: DECISIONS,
}

/**
 * The schema with each of its objects as a component of its own, named by what it is a part of, so
 * that generators of clients have a name for each: `Donation` and its field `transaction` make
 * `DonationTransaction`, a list `milestones` makes `…Milestone`.
 *
 * @param name of the schema itself, where it is an object
 * @returns what stands in its place: a reference, or a list or a choice of them
 */
export const withNames = (schema: JsonSchema, name: string, components: Components): JsonSchema => {
  if (typeof schema.$ref === 'string') return schema
  const { description, default: usual, ...rest } = schema
  const aside = {
    ...(description ? { description } : {}),
    ...(usual === undefined ? {} : { default: usual }),
  }
  const known = Object.entries(ENUMS).find(([, values]) => isDeepStrictEqual(schema.enum, values))
  if (known)
    return { ...named(known[0], { type: 'string', enum: [...known[1]] }, components), ...aside }
  if (!isObject(schema.properties)) return withNamedParts(schema, name, components)
  return { ...named(name, withNamedParts(rest, name, components), components), ...aside }
}

/** The same schema with names for the objects in it. */
export const withNamedParts = (
  schema: JsonSchema,
  name: string,
  components: Components,
): JsonSchema => {
  const made = { ...schema }
  if (isObject(schema.properties)) {
    made.properties = Object.fromEntries(
      Object.entries(schema.properties as Record<string, JsonSchema>).map(([key, part]) => [
        key,
        withNames(part, name + capital(key), components),
      ]),
    )
  }
  if (isObject(schema.items)) made.items = withNames(schema.items, singular(name), components)
  if (isObject(schema.additionalProperties)) {
    made.additionalProperties = withNames(schema.additionalProperties, `${name}Entry`, components)
  }
  for (const choice of ['anyOf', 'oneOf'] as const) {
    const options = schema[choice]
    if (!Array.isArray(options)) continue
    made[choice] = options.map((option) => withNames(option as JsonSchema, name, components))
  }
  return made
}

const named = (name: string, schema: JsonSchema, components: Components): JsonSchema => {
  const there = components[name]
  if (there && !isDeepStrictEqual(there, schema)) {
    throw new Error(`Two schemas of the document want the name ${name}.`)
  }
  components[name] = schema
  return { $ref: `#/components/schemas/${name}` }
}

/** `verification_docs` and `verificationDocs` both end in `VerificationDocs`. */
export const capital = (word: string): string =>
  word.replaceAll(/(?:^|[_.])(\w)/g, (_, letter: string) => letter.toUpperCase())

const singular = (name: string): string =>
  name.endsWith('ies') ? `${name.slice(0, -3)}y` : name.replace(/s$/, '')

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
