const MAX_CHARS = 1_000

/**
 * A text from another machine in a form that is safe for logs, terminals and the database: at most
 * 1,000 characters, all of them printable ASCII. Other characters become `?`.
 */
export const foreignText = (foreign: unknown): string => {
  const text = String(foreign)
  const cut = text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}...` : text
  return cut.replace(/[^\x20-\x7e]+/g, '?')
}
