import { type Agent, type Dispatcher, errors } from 'undici'

/** What a receiver has answered. */
export type Answer = {
  /** Null where no answer came. */
  statusCode: number | null
  retryAfter: string | undefined
  /** The first 20 kB of its body, as text that Postgres can store; null where it was cut off. */
  body: string | null
}

export type Post = Pick<Dispatcher.RequestOptions, 'origin' | 'path' | 'headers' | 'body'> & {
  signal: AbortSignal
}

const MAX_BODY_BYTES = 20_000
/** 1xx: an endless row of them would keep this thread busy. */
const MAX_INTERIM_ANSWERS = 10

/**
 * Sends one request and reads the beginning of its answer. Rejects where no answer has begun, with
 * the error of the dispatcher or the socket.
 */
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

/** A body that is too long is cut and its connection dropped: the status has said enough. */
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
  // A character cut in the middle at the end is left out.
  const text = new TextDecoder().decode(Buffer.concat(chunks).subarray(0, MAX_BODY_BYTES), {
    stream: bytes > MAX_BODY_BYTES,
  })
  return text.replaceAll('\0', '')
}
