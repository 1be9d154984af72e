import type { ClientModel, Field, Type } from '../model.ts'
import { keyed, type Part } from './print.ts'

/** Writes the values of a request in a language. */
export type Writer = {
  text: (value: string) => string
  boolean: (value: boolean) => string
  null: string
  time: (value: string) => string
  name: (field: string) => string
  list: (items: readonly Part[]) => Part
  /** A map with any keys, or an object that is passed on unchanged. */
  map: (entries: readonly [string, Part][]) => Part
  object: (name: string, fields: readonly [string, Part][]) => Part
}

type Json = Record<string, unknown>

/** Writes a JSON value of the wire as a value of this type in the language. */
export const writeValue = (
  model: ClientModel,
  writer: Writer,
  type: Type,
  value: unknown,
): Part => {
  const write = (of: Type, inner: unknown) => writeValue(model, writer, of, inner)
  if (value === null) return writer.null
  switch (type.kind) {
    case 'amount':
      return writer.text(String(value))
    case 'time':
      return writer.time(String(value))
    case 'list':
      return writer.list((value as unknown[]).map((item) => write(type.of, item)))
    case 'map':
      return writer.map(
        Object.entries(value as Json).map(([key, one]) => [key, write(type.of, one)]),
      )
    case 'object':
      return writer.object(
        type.name,
        writeFields(model, writer, fieldsOf(model, type.name), value as Json),
      )
    default:
      return typeof value === 'string'
        ? writer.text(value)
        : typeof value === 'boolean'
          ? writer.boolean(value)
          : String(value)
  }
}

/** Writes the existing fields of a value, with their names in the clients. */
export const writeFields = (
  model: ClientModel,
  writer: Writer,
  fields: readonly Field[],
  value: Readonly<Json>,
): [string, Part][] =>
  fields
    .filter(({ wire }) => wire in value)
    .map(({ wire, name, type }) => [
      writer.name(name),
      writeValue(model, writer, type, value[wire]),
    ])

const fieldsOf = ({ objects }: ClientModel, wanted: string): readonly Field[] =>
  objects.find(({ name }) => name === wanted)?.fields ?? []

export const named = (entries: readonly [string, Part][], between: string): Part[] =>
  entries.map(([name, part]) => keyed(name + between, part))
