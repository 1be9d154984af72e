import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../../kernel/log.ts'
import { ChainError, type ChainErrorCode } from '../errors.ts'
import { createEndpoint, type Endpoint, type EndpointLimits } from './endpoint.ts'
import { checkChainId, isRateLimit, type RpcCall, type RpcReply } from './json-rpc.ts'

/** JSON-RPC calls and HTTP requests made, retries included. */
export type RpcStats = { calls: number; requests: number }

/**
 * What the chain client asks its questions through. Several nodes stand behind one transport; how
 * they are chosen, and one day compared, is the transport's own affair.
 */
export type RpcTransport = {
  /** One JSON-RPC batch; replies in the order of the calls. Throws ChainError. */
  batch(calls: readonly RpcCall[]): Promise<RpcReply[]>
  /** Asks every node which chain it serves. Throws `wrong_chain`, or why none could be asked. */
  assertChainId(): Promise<void>
  stats(): RpcStats
  close(): Promise<void>
}

export type TransportOptions = EndpointLimits & {
  urls: readonly string[]
  chainId: number
  log: Log
  /** The first wait between two rounds; it doubles, with jitter. */
  backoffMs: number
}

/** A node whose chain is not checked yet, or again, is asked for it within its next batch. */
type Node = { endpoint: Endpoint; chainChecked: boolean; restsUntilMs: number }

const MAX_ROUNDS = 3
/** A node that failed is tried last for this long. */
const REST_MS = 30_000
/** A longer Retry-After is the caller's to wait for. */
const MAX_WAIT_MS = 10_000
/** Failures that another round, moments later, may cure. */
const WORTH_ANOTHER_ROUND: ReadonlySet<ChainErrorCode> = new Set([
  'rate_limited',
  'transport',
  'bad_response',
])
const CHAIN_ID_CALL: RpcCall = { method: 'eth_chainId', params: [] }

/** Nodes in the order of the configuration, failing over, in up to three rounds with backoff. */
export const createTransport = (options: TransportOptions): RpcTransport => {
  const { log, chainId } = options
  const nodes: Node[] = options.urls.map((url) => ({
    endpoint: createEndpoint(url, options),
    chainChecked: false,
    restsUntilMs: 0,
  }))
  const closing = new AbortController()
  const stats: RpcStats = { calls: 0, requests: 0 }

  const exchange = async (node: Node, calls: readonly RpcCall[]): Promise<RpcReply[]> => {
    const sent = node.chainChecked ? calls : [CHAIN_ID_CALL, ...calls]
    stats.requests += 1
    stats.calls += sent.length
    const replies = await node.endpoint.exchange(sent)
    if (sent === calls) return replies
    checkChainId(replies[0], chainId, node.endpoint.name)
    node.chainChecked = true
    return replies.slice(1)
  }

  /** One round: each node at most once. A node of a wrong chain is a wrong setting, so it ends all. */
  const round = async (calls: readonly RpcCall[]): Promise<RpcReply[]> => {
    const now = Date.now()
    const resting = nodes.filter((node) => node.restsUntilMs > now)
    const awake = nodes.filter((node) => node.restsUntilMs <= now)
    let failure = new ChainError('transport', 'No node is configured.')
    for (const node of [...awake, ...resting]) {
      try {
        const replies = await exchange(node, calls)
        // Calls that it refused go to another node first, if there is one.
        node.restsUntilMs = replies.some(isRefused) ? Date.now() + REST_MS : 0
        return replies
      } catch (error) {
        if (!(error instanceof ChainError)) throw error
        if (error.code === 'closed' || error.code === 'wrong_chain') throw error
        node.chainChecked = false
        node.restsUntilMs = Date.now() + REST_MS
        log.warn({ chainId, node: node.endpoint.name, code: error.code }, error.message)
        failure = error
      }
    }
    throw failure
  }

  /** Waits before the next round, or throws when there is none. */
  const pause = async (error: ChainError, rounds: number) => {
    const jitter = 0.5 + Math.random()
    const waitMs = error.retryAfterMs ?? options.backoffMs * 2 ** (rounds - 1) * jitter
    if (!WORTH_ANOTHER_ROUND.has(error.code) || rounds >= MAX_ROUNDS || waitMs > MAX_WAIT_MS) {
      throw error
    }
    await delay(waitMs, undefined, { signal: closing.signal }).catch(() => {
      throw new ChainError('closed', 'The chain client was closed.')
    })
  }

  return {
    async batch(calls) {
      const replies: RpcReply[] = new Array(calls.length)
      let open = calls.map((_, index) => index)
      for (let rounds = 1; open.length > 0; rounds += 1) {
        let failure = new ChainError('rate_limited', 'The node limits our rate.')
        try {
          const answers = await round(open.flatMap((index) => calls[index] ?? []))
          open = open.filter((index, at) => {
            const answer = answers[at]
            if (!answer || isRefused(answer)) return true
            replies[index] = answer
            return false
          })
          if (open.length === 0) break
        } catch (error) {
          if (!(error instanceof ChainError)) throw error
          failure = error
        }
        await pause(failure, rounds)
      }
      return replies
    },
    async assertChainId() {
      for (const node of nodes) node.chainChecked = false
      const asked = await Promise.allSettled(nodes.map((node) => exchange(node, [])))
      const failures = asked.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
      const wrong = failures.find((error) => isCode(error, 'wrong_chain'))
      if (wrong !== undefined) throw wrong
      if (failures.length === nodes.length) throw failures[0]
    },
    stats: () => ({ ...stats }),
    async close() {
      closing.abort()
      await Promise.all(nodes.map((node) => node.endpoint.close()))
    },
  }
}

const isCode = (error: unknown, code: ChainErrorCode): boolean =>
  error instanceof ChainError && error.code === code

const isRefused = (reply: RpcReply): boolean => !reply.ok && isRateLimit(reply.error)
