import type { ClientModel } from '../model.ts'
import { filled, quoted } from './source.ts'

/** Writes the values of the document that a program can import. */
export const emitFacts = ({ version, sha256, codes, events, enums }: ClientModel): string => `
/** The version of the OpenAPI document from which this library was generated. */
export const SPEC_VERSION = '${version}'

/** The SHA-256 of the OpenAPI document from which this library was generated. */
export const SPEC_SHA256 = '${sha256}'

/** The error codes of this version. Later versions may have more. */
${listOf('ERROR_CODES', codes)}

/** The types of events of this version. Later versions may have more. */
${listOf(
  'EVENT_TYPES',
  events.map(({ type }) => type),
)}

/** The values of each enum of this version. Later versions may have more. */
export const ENUMS = {
${enums.map(({ name, values }) => filled(`${name}: [`, values.map(quoted), '],', '  ')).join('\n')}
} as const
`

const listOf = (name: string, values: readonly string[]): string =>
  filled(`export const ${name} = [`, values.map(quoted), '] as const')
