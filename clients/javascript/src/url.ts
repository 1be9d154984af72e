/**
 * Fills a path's `{name}` parts with segments in their order. Each segment is encoded by itself.
 *
 * @throws TypeError for a missing or empty segment, `.` and `..`, which would change the path
 */
export const fillPath = (template: string, segments: readonly unknown[]): string => {
  let at = 0
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeSegment(segments[at++], name))
}

/** Encodes one segment of a path (RFC 3986). Only unreserved characters stay as they are. */
export const encodeSegment = (segment: unknown, name = 'id'): string => {
  const isText = typeof segment === 'string' || typeof segment === 'number'
  const text = isText ? String(segment) : ''
  if (text === '' || text === '.' || text === '..') {
    throw new TypeError(
      `${name} must be a text that is not empty, "." or "..": it is part of the path.`,
    )
  }
  return encodeText(text)
}

/** A query with its `?`, or an empty text. Lists repeat their name, and undefined is left out. */
export const queryText = (params: Readonly<Record<string, unknown>>): string => {
  const pairs = Object.entries(params).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((one) => one !== undefined && one !== null)
      .map((one) => `${encodeText(name)}=${encodeText(valueText(one))}`),
  )
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

const valueText = (value: unknown): string =>
  value instanceof Date ? value.toISOString() : String(value)

const encodeText = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replaceAll(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
