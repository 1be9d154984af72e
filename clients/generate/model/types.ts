/**
 * The interface in the form that the emitters of all languages use, made from the OpenAPI document.
 */
export type ClientModel = {
  /** The version of the service, which is also the version of the client libraries. */
  version: string
  /** The SHA-256 of the document, without the code samples that are made from this model. */
  sha256: string
  enums: EnumModel[]
  objects: ObjectModel[]
  /** The named unions. */
  unions: UnionType[]
  operations: OperationModel[]
  /** The events in the order of the document, and the object that each event is. */
  events: { type: string; object: string }[]
  /** The error codes. */
  codes: string[]
}

/** A list of known values. It is always open: clients pass unknown values through. */
export type EnumModel = { name: string; values: string[] }

export type UnionType = {
  kind: 'union'
  of: Type[]
  name: string | null
  /**
   * The wire name of the field that distinguishes the members. Its type is a literal in each
   * member.
   */
  by: string | null
}

export type Type =
  /**
   * `number` is only for coordinates. An `amount` is exact decimal text on the wire, because
   * clients send `Prefer: amounts=text`. A `time` is ISO 8601 text. A request may also have a date
   * without a time. `any` is JSON that clients pass on unchanged.
   */
  | { kind: 'text' | 'integer' | 'number' | 'boolean' | 'amount' | 'time' | 'any' }
  | { kind: 'literal'; value: string | number | boolean }
  | { kind: 'enum'; name: string }
  | { kind: 'object'; name: string }
  | UnionType
  | { kind: 'list'; of: Type }
  /** An object with any keys, which are not converted. */
  | { kind: 'map'; of: Type }

export type Field = {
  /** The name in JSON or in the query. */
  wire: string
  /** The name in the clients, in camelCase: `target_amount` is `targetAmount`, `_id` is `id`. */
  name: string
  type: Type
  nullable: boolean
  /** Whether a request must have the field, or an answer always has it. */
  required: boolean
  description: string | null
}

export type ObjectModel = {
  name: string
  description: string | null
  fields: Field[]
  /** Whether requests contain the object. */
  in: boolean
  /** Whether answers or events contain the object. */
  out: boolean
  /** Whether the object is the whole body of requests, so that its fields become arguments. */
  body: boolean
  /**
   * Whether the object is passed on unchanged to a wallet or a verifier, or is part of such an
   * object. In Python and PHP such objects are plain dictionaries and arrays with the wire names.
   */
  verbatim: boolean
}

export type Body =
  | null
  | { kind: 'json'; object: string; required: boolean }
  /** The media types that may be uploaded. */
  | { kind: 'file'; types: string[] }

export type AnswerModel =
  | { kind: 'none' }
  /** The value of one field of the envelope: `{success, donation}` gives the donation. */
  | { kind: 'content'; wire: string; type: Type }
  /**
   * A list with pages. `cursor`: the next page begins at `pagination.nextCursor`. `after`: the next
   * page begins at `nextCursor`, sent as `after` (events).
   */
  | { kind: 'list'; wire: string; item: Type; by: 'cursor' | 'after' }
  /** The whole object without `success`. */
  | { kind: 'whole'; type: Type }
  | { kind: 'file' | 'csv' | 'stream' }

/** A method of the clients. Two methods may use one operation: see `HELPERS` in names.ts. */
export type OperationModel = {
  /** The operationId of the document. */
  id: string
  /** The place in the client, for example `['donations', 'record']`. */
  at: [resource: string, method: string]
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The path with parameters such as `{id}`. */
  path: string
  summary: string
  pathFields: Field[]
  query: Field[]
  /** Query parameters that the method always sends. */
  fixedQuery: Readonly<Record<string, string>>
  body: Body
  /** The wire names of fields of the body that this method does not have. */
  without: readonly string[]
  answer: AnswerModel
  /** The error codes of the operation. */
  errors: string[]
  /** A request that the document accepts, with wire names. */
  example: { path: string[]; query: Record<string, unknown>; body: unknown }
}
