import { type Agent, type Dispatcher, errors } from 'undici'

export type Answer = {
  /** The HTTP status. Null if no response came. */
  statusCode: number | null
  retryAfter: string | undefined
  /** The first 20 kB of the body, without NUL characters. Null if the body is incomplete. */
  body: string | null
}

type Post = Pick<Dispatcher.RequestOptions, 'origin' | 'path' | 'headers' | 'body'> & {
  signal: AbortSignal
}

const MAX_BODY_BYTES = 20_000
/** The most interim responses (1xx) to a request. An endless series would block this thread. */
const MAX_INTERIM_ANSWERS = 10

/** Sends a request and reads the start of its response. Rejects if there is no response. */
export const postAndRead = async (agent: Agent, post: Post): Promise<Answer> => {
  let interim = 0
  const { statusCode, headers, body } = await agent.request({
    ...post,
    method: 'POST',
    onInfo() {
      if (++interim > MAX_INTERIM_ANSWERS) throw new errors.HeadersOverflowError()
    },
  })
  const retryAfter = headers['retry-after']
  return {
    statusCode,
    retryAfter: Array.isArray(retryAfter) ? retryAfter[0] : retryAfter,
    body: await beginningOf(body),
  }
}

/** Reads at most the first 20 kB of a body. If the body is longer, closes the connection. */
const beginningOf = async (body: AsyncIterable<Buffer>): Promise<string | null> => {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes > MAX_BODY_BYTES) break
    }
  } catch {
    return null
  }
  // With `stream`, `decode` leaves out an incomplete character at the end.
  const text = new TextDecoder().decode(Buffer.concat(chunks).subarray(0, MAX_BODY_BYTES), {
    stream: bytes > MAX_BODY_BYTES,
  })
  return text.replaceAll('\0', '')
}
