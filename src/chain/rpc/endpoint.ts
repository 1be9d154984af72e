import { hideKeysOf } from '../../kernel/formats/hide-keys.ts'
import { answerBytes, checkValues } from './answer-limits.ts'
import { decodeBatch, encodeBatch, encodeCall, type RpcCall, type RpcReply } from './json-rpc.ts'
import { createJsonServer, type Room } from './json-server.ts'

/** One node. `name` is the host of the node's URL, because the rest of the URL may hold a key. */
export type Endpoint = {
  name: string
  /**
   * Sends the calls in one HTTP request: as a batch or, with `single`, only the first call, outside
   * a batch. Throws ChainError unless every call gets a reply.
   */
  exchange(calls: readonly RpcCall[], form?: 'batch' | 'single', room?: Room): Promise<RpcReply[]>
  close(): Promise<void>
}

export type EndpointLimits = {
  /** The time limit of one exchange, from connecting to the last byte of the body. */
  timeoutMs: number
  /** The most bytes of all answers to one `send`. Answers that are asked for again count twice. */
  maxResponseBytes: number
}

export const createEndpoint = (url: string, limits: EndpointLimits): Endpoint => {
  const server = createJsonServer(url, limits.timeoutMs)
  const hide = hideKeysOf(url)
  return {
    name: server.name,
    async exchange(calls, form = 'batch', room = { bytes: limits.maxResponseBytes }) {
      const limit = answerBytes(calls)
      const sent = form === 'single' && calls[0] ? encodeCall(calls[0]) : encodeBatch(calls)
      const body = await server.ask({ body: sent, limit, room })
      // Many values of few bytes take as much of the room as real values would.
      const least = checkValues(body, Math.min(limit, room.bytes + body.length), server.name)
      room.bytes -= Math.max(0, least - body.length)
      return decodeBatch(body, calls.length, server.name, hide)
    },
    close: () => server.close(),
  }
}
