import type { ClientModel } from '../model.ts'
import { filled, quoted, snakeCase, table } from './names.ts'

/** The facts that tests compare with the document. Programs do not import them. */
export const factsFile = (model: ClientModel): [string, string] => {
  const operations = model.operations.map(({ at, id }): [string, string] => [
    [...at[0].split('.'), at[1]].map(snakeCase).join('.'),
    quoted(id),
  ])
  const events = model.events.map(({ type, object }): [string, string] => [type, quoted(object)])
  const enums = model.enums.map(({ name, values }) =>
    filled(`${quoted(name)}: (`, values.map(quoted), values.length === 1 ? ',),' : '),', '    '),
  )
  return [
    '_generated/facts.py',
    `"""The operations, events, error codes and enum values of this version."""

from __future__ import annotations

#: The operation behind each method.
${table('OPERATIONS: dict[str, str]', operations)}

#: The class of each event.
${table('EVENTS: dict[str, str]', events)}

${filled('ERROR_CODES: tuple[str, ...] = (', model.codes.map(quoted), ')')}

#: The values of each list.
ENUMS: dict[str, tuple[str, ...]] = {
${enums.map((one) => `${one}\n`).join('')}}
`,
  ]
}

/** The version of the library, which is the version of the OpenAPI document. */
export const versionFile = ({ version, sha256 }: ClientModel): [string, string] => [
  '_generated/version.py',
  `"""The version of the library, and of the OpenAPI document behind the library."""

from __future__ import annotations

VERSION = ${quoted(version)}
SPEC_VERSION = VERSION
__version__ = VERSION
SPEC_SHA256 = ${quoted(sha256)}
`,
]
