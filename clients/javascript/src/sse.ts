/** A message of a stream. `id` is the position of the stream after it. */
export type SseMessage = { id: string; event: string; data: string }

/** More than any event of the service. Without a limit, a wrong server could fill the memory. */
const MAX_CHARS = 16 * 2 ** 20

/**
 * Reads server-sent events (HTML Standard, section 9.2) from pieces that end at any byte. Lines end
 * with CR, LF or CRLF. A message that the stream cuts off is dropped, together with its id.
 */
export class SseParser {
  /** The position after the last complete message. Also messages without data move it. */
  lastEventId = ''
  /** The pause before a new connection that the service asks for. */
  retryMs: number | undefined
  // Deno's decoder removes a byte order mark at the start of each piece, not only of the stream.
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  #isFirst = true
  #rest = ''
  #afterCr = false
  #id = ''
  #event = ''
  #data: string[] = []

  constructor(lastEventId = '') {
    this.lastEventId = lastEventId
    this.#id = lastEventId
  }

  /** Takes the next bytes, and returns the messages that they complete. */
  push(bytes: Uint8Array): SseMessage[] {
    let text = this.#decoder.decode(bytes, { stream: true })
    if (text === '') return []
    if (this.#isFirst && text.startsWith('\ufeff')) text = text.slice(1)
    this.#isFirst = false
    // A LF at the start belongs to the CR at the end of the last piece.
    if (this.#afterCr && text.startsWith('\n')) text = text.slice(1)
    this.#afterCr = text.endsWith('\r')
    const lines = (this.#rest + text).split(/\r\n|\r|\n/)
    this.#rest = lines.pop() ?? ''
    if (this.#rest.length > MAX_CHARS) throw new RangeError('A line of the stream is too long.')
    return lines.flatMap((line) => this.#take(line) ?? [])
  }

  #take(line: string): SseMessage | undefined {
    if (line === '') return this.#dispatch()
    const colon = line.indexOf(':')
    if (colon === 0) return undefined
    const field = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'data') this.#data.push(value)
    else if (field === 'event') this.#event = value
    else if (field === 'id' && !value.includes('\0')) this.#id = value
    else if (field === 'retry' && /^\d+$/.test(value)) this.retryMs = Number(value)
    return undefined
  }

  #dispatch(): SseMessage | undefined {
    this.lastEventId = this.#id
    const message = { id: this.#id, event: this.#event || 'message', data: this.#data.join('\n') }
    const hasData = this.#data.length > 0
    this.#data = []
    this.#event = ''
    return hasData ? message : undefined
  }
}
