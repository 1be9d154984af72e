type Fields = Record<string, unknown>

/** A file of vectors: its cases, and the values that they share. */
export type VectorFile = { about: string; cases: ({ name: string } & Fields)[] } & Fields

/** Parses a file. Fills in the defaults of the cases, and the values of names such as `$name`. */
export const readVectors = (text: string): VectorFile => {
  const { defaults = {}, values = {}, cases, ...shared } = JSON.parse(text) as VectorFile
  const named = values as Fields
  const filled = (part: unknown): unknown => {
    if (typeof part === 'string' && part.startsWith('$')) {
      if (!(part.slice(1) in named)) throw new Error(`The file has no value for ${part}.`)
      return filled(named[part.slice(1)])
    }
    if (Array.isArray(part)) return part.map(filled)
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, filled(inner)]))
  }
  const all = cases.map((one) => filled({ ...(defaults as Fields), ...one }))
  return { ...shared, cases: all as VectorFile['cases'] }
}
