/** The conversion of an amount: decimal text from a text, an integer or a number. */
export const AMOUNT = 'amount'

/**
 * How to convert a value: `amount`, the name of a shape, or one of these with `[]` (each item of
 * a list) or `{}` (each value of a map). A value without a rule stays as it is.
 */
export type Rule = string

/**
 * The fields of an object that must be converted, by their names in this library: the name on the
 * wire, and the rule for the value. A field that is not listed keeps its name and value.
 */
export type Shape = Readonly<Record<string, readonly [wire: string, rule?: Rule]>>

export type Shapes = Readonly<Record<string, Shape>>

/** One operation of the interface, as data. */
export type Operation = {
  /**
   * The method and the path, with `{name}` for each path parameter. A fixed query may follow the
   * path: `?format=csv`.
   */
  readonly at: `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} ${string}`
  /** The rule for the JSON body. */
  readonly in?: Rule
  /** The rule for the content of the answer. In a list, this is the rule for one item. */
  readonly out?: Rule
  /**
   * The name of the answer's field that has the content. Without a name, the content is the whole
   * answer except `success`.
   */
  readonly field?: string
  /** What the content is. Default: a list if `list` is set, otherwise an object. */
  readonly is?: 'string' | 'number' | 'list' | 'object'
  /** The field with the items of a list that has further pages, and how to ask for them. */
  readonly list?: string
  readonly by?: 'cursor' | 'after'
  /** An answer that is no JSON object. */
  readonly as?: 'none' | 'file' | 'csv' | 'stream'
}
