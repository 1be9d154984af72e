const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The value of a JSON text or of its bytes. Undefined for text that is no JSON or no UTF-8. */
export const jsonOf = (text: string | Uint8Array): unknown => {
  try {
    return JSON.parse(typeof text === 'string' ? text : utf8.decode(text))
  } catch {
    return undefined
  }
}

/** The object of a JSON text. Null for another JSON value, and for a text that is no JSON. */
export const objectOf = (text: string | Uint8Array): Record<string, unknown> | null => {
  const value = jsonOf(text)
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? (value as Record<string, unknown>) : null
}
