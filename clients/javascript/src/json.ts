/** The value of a JSON text. Undefined for a text that is no JSON. */
export const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The object of a JSON text. Null for another JSON value, and for a text that is no JSON. */
export const objectOf = (text: string): Record<string, unknown> | null => {
  const value = jsonOf(text)
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? (value as Record<string, unknown>) : null
}
