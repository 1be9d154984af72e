import { createHash } from 'node:crypto'
import { canonicalNames } from './canonical-names.ts'
import { type Document, nameIn } from './document.ts'
import { VERBATIM } from './names.ts'
import { bodiesIn, readOperations } from './operations.ts'
import { createReader } from './schemas.ts'
import type { ClientModel, Field, ObjectModel, OperationModel, Type } from './types.ts'

/** Makes the model of the clients from the text of an OpenAPI document. */
export const createModel = (text: string, version: string): ClientModel => {
  const document = JSON.parse(text, withoutSamples) as Document
  const bodies = bodiesIn(document)
  const reader = createReader(document, canonicalNames(document, bodies), bodies)
  const operations = readOperations(document, reader)
  const events = Object.entries(document.webhooks).map(([type, { post }]) => {
    const schema = post.requestBody?.content['application/json']?.schema
    return { type, object: nameIn(schema?.$ref ?? '') }
  })
  const { requires } = document.components.schemas.ApiError?.properties ?? {}
  if (requires) reader.typeOf(requires, 'out')
  const { enums, objects, unions } = reader.found()
  const read = readObjects(objects, [
    ...operations.flatMap(({ body }) => (body?.kind === 'json' ? [body.object] : [])),
    ...operations.flatMap(({ answer }) => {
      if (answer.kind === 'list') return namesIn(answer.item)
      return 'type' in answer ? namesIn(answer.type) : []
    }),
    ...events.map(({ object }) => object),
  ])
  return {
    version,
    sha256: createHash('sha256').update(JSON.stringify(document)).digest('hex'),
    enums,
    objects: objects.map((object) => ({ ...object, verbatim: !read.has(object.name) })),
    unions,
    operations,
    events,
    codes: document.components.schemas.ErrorCode?.enum ?? [],
  }
}

/** The objects that clients read and write field by field. Verbatim objects are left out. */
const readObjects = (
  objects: readonly ObjectModel[],
  roots: readonly string[],
): ReadonlySet<string> => {
  const read = new Set(roots.filter((name) => !VERBATIM.has(name)))
  for (const name of read) {
    const fields = objects.find((object) => object.name === name)?.fields ?? []
    for (const inner of fields.flatMap(({ type }) => namesIn(type))) {
      if (!VERBATIM.has(inner)) read.add(inner)
    }
  }
  return read
}

/** The names of the objects in a type. */
export const namesIn = (type: Type): string[] => {
  if (type.kind === 'object') return [type.name]
  if (type.kind === 'list' || type.kind === 'map') return namesIn(type.of)
  return type.kind === 'union' ? type.of.flatMap(namesIn) : []
}

/** Leaves out the samples, because they depend on the model, and the document's digest must not. */
const withoutSamples = (key: string, value: unknown): unknown =>
  key === 'x-codeSamples' ? undefined : value

/** The body fields of a method. */
export const bodyFields = ({ objects }: ClientModel, { body, without }: OperationModel): Field[] =>
  body?.kind === 'json'
    ? (objects.find(({ name }) => name === body.object)?.fields ?? []).filter(
        ({ wire }) => !without.includes(wire),
      )
    : []
