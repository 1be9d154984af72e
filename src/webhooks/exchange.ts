import { type Agent, type Dispatcher, errors } from 'undici'

/** A receiver's response. */
export type Answer = {
  /** Null without a response. */
  statusCode: number | null
  retryAfter: string | undefined
  /** The first 20 kB of its body, as text that Postgres can store; null if it was incomplete. */
  body: string | null
}

type Post = Pick<Dispatcher.RequestOptions, 'origin' | 'path' | 'headers' | 'body'> & {
  signal: AbortSignal
}

const MAX_BODY_BYTES = 20_000
/** Limit of 1xx responses, because an endless series would block this thread. */
const MAX_INTERIM_ANSWERS = 10

/**
 * Sends one request and reads the start of its response. Without a response it rejects with the
 * error of the dispatcher or the socket.
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

/** Cuts a long body and drops its connection, because the status suffices. */
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
  // Leaves out a character that is cut at the end.
  const text = new TextDecoder().decode(Buffer.concat(chunks).subarray(0, MAX_BODY_BYTES), {
    stream: bytes > MAX_BODY_BYTES,
  })
  return text.replaceAll('\0', '')
}
